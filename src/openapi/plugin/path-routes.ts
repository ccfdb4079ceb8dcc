/** The methods and URLs of routes, and the 405 for the methods that a path lacks. */
import type { FastifyInstance, HTTPMethods } from 'fastify'
import type { Operation } from '../document/operations.ts'
import { toRouteName } from '../request/sent-fields.ts'
import { HttpError } from '../shared/errors.ts'

/** The method of an operation, which may be skipped. */
type MethodOwner = Pick<Operation, 'method'>

/**
 * Declares the less usual methods, in the whole app: Fastify reads the bodies of a method if any operation with the method has
 * one. A method that the app or another document has added with a body keeps it.
 */
export function declareMethods(
  scope: FastifyInstance,
  operations: readonly (MethodOwner & Partial<Pick<Operation, 'requestBody'>>)[],
): void {
  for (const [method, methodOperations] of Map.groupBy(operations, (operation) => operation.method)) {
    if (/^(get|head|put|post|delete|patch|options)$/.test(method)) continue
    const hasBody = methodOperations.some(({ requestBody }) => requestBody !== undefined)
    const name = method.toUpperCase()
    if (hasBody || !scope.supportedMethods.includes(name))
      scope.addHttpMethod(name, { hasBody, overrideExisting: true })
  }
}

/** Returns the methods that an operation serves: GET also serves HEAD, unless the path's operations have a HEAD. */
export function getMethods(pathOperations: readonly MethodOwner[], method: string): HTTPMethods[] {
  if (method === 'get' && !pathOperations.some((operation) => operation.method === 'head')) return ['GET', 'HEAD']
  return [method.toUpperCase() as HTTPMethods]
}

/**
 * Responds with 405 to the methods that a path lacks (RFC 9110, section 15.5.6). Without these routes, `POST /pets/count` would
 * match `POST /pets/{petId}`, although the path without parameters has precedence (OpenAPI 3.1, Paths Object).
 */
export function addMethodNotAllowed(scope: FastifyInstance, url: string, pathOperations: readonly MethodOwner[]): void {
  const allowed: string[] = pathOperations.flatMap(({ method }) => getMethods(pathOperations, method))
  const allow = allowed.sort().join(', ')
  const methods = scope.supportedMethods.filter((method) => !allowed.includes(method)) as HTTPMethods[]
  const error = () =>
    new HttpError(405, 'method_not_allowed', `this path supports only ${allow}`, { headers: { Allow: allow } })
  addErrorRoute(scope, methods, url, error)
}

/** Responds with 501 to the requests of an operation that has a mistake in the document. */
export function addNotImplemented(scope: FastifyInstance, methods: HTTPMethods[], url: string): void {
  addErrorRoute(scope, methods, url, notImplemented)
}

/** The 501 of an operation that is skipped, or that has no handler. */
export function notImplemented(): HttpError {
  return new HttpError(501, 'not_implemented', 'this operation is not implemented')
}

function addErrorRoute(scope: FastifyInstance, method: HTTPMethods[], url: string, createError: () => HttpError): void {
  scope.route({
    method,
    url,
    exposeHeadRoute: false,
    onRequest: (_request, _reply, done) => done(createError()),
    // Required by Fastify, and never reached.
    handler: (_request, reply) => reply.callNotFound(),
  })
}

/**
 * Converts a path template to the syntax of Fastify's router, which applies the pattern of a parameter to one segment. A
 * parameter matches one or more characters. If another one follows it, it ends where the text between the two begins for the
 * first time, so that a match takes linear time. `/a/{b}-{c}` becomes `/a/:b((?:(?!\-)[\s\S])+)-:c([\s\S]+)`.
 */
export function toFastifyPath(template: string): string {
  return template.replaceAll(/:|\{([^{}]+)\}(?:([^/{}]+)(?=\{))?/g, (text, name: string, next = '') => {
    if (text === ':') return '::'
    const escaped = next.replaceAll(/\W/g, '\\$&')
    const pattern = next === '' ? '[\\s\\S]+' : `(?:(?!${escaped})[\\s\\S])+`
    return `:${toRouteName(name)}(${pattern})${next.replaceAll(':', '::')}`
  })
}
