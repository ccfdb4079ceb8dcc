/** Prepares the spec for Swagger UI: resolves references, and puts into words what Swagger UI does not show. */
import { getAddress } from './links.js'
import { describeLimits, write } from './schema.js'

const METHODS = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query'])

export function prepare(spec) {
  const root = resolve(spec, spec)
  const operations = Object.entries(root.paths ?? {}).flatMap(([path, { parameters = [], ...item }]) =>
    Object.entries(item).flatMap(([method, operation]) => {
      if (!METHODS.has(method)) return []
      const operationParameters = operation.parameters ?? []
      // A parameter of the operation replaces the path's (OpenAPI 3.1, Path Item Object).
      const isReplaced = (parameter) =>
        operationParameters.some(({ name, in: place }) => name === parameter.name && place === parameter.in)
      const pathParameters = parameters.filter((parameter) => !isReplaced(parameter))
      operation.parameters = [...operationParameters, ...pathParameters].map(describeParameter)
      operation.security ??= root.security ?? []
      return [{ name: `${method.toUpperCase()} ${path}`, operation }]
    }),
  )
  for (const { operation } of operations) describeOperation(operation, operations)
  for (const [name, scheme] of Object.entries(root.components?.securitySchemes ?? {})) {
    const scopes = describeScopes(name, operations)
    const stored = 'What you enter is stored in this browser (in its local storage), until you choose **Log out**.'
    // The policy of the page lets it ask no other server for a token, so people enter one.
    if (/^(oauth2|openIdConnect)$/.test(scheme.type)) {
      Object.assign(scheme, { type: 'http', scheme: 'bearer', bearerFormat: 'token' })
    }
    scheme.description = joinParagraphs(scheme.description, scopes && 'Scopes:', scopes, stored)
  }
  root.info.description = foldDescription(root.info.description ?? '')
  return root
}

/**
 * Follows references within the document, and names each schema after its component. `stack` has the references that are being
 * followed, so that a schema within itself ends with "The same again."
 */
function resolve(root, value, stack = []) {
  if (Array.isArray(value)) return value.map((item) => resolve(root, item, stack))
  if (typeof value !== 'object' || value === null) return value
  const { $ref, ...siblings } = value
  if (typeof $ref !== 'string' || !$ref.startsWith('#/')) {
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, resolve(root, member, stack)]))
  }
  const unescapeToken = (token) => decodeURIComponent(token).replaceAll('~1', '/').replaceAll('~0', '~')
  const path = $ref.slice(2).split('/').map(unescapeToken)
  const title = path[1] === 'schemas' ? { title: path.at(-1) } : {}
  const target = find(root, path)
  if (stack.includes($ref)) return { ...title, type: target.type, description: 'The same again.' }
  return resolve(root, { ...title, ...target, ...siblings }, [...stack, $ref])
}

function describeParameter({ example, ...parameter }) {
  const { description, required, schema = {} } = parameter
  const durations = Object.entries(parameter).filter(([name]) => /^x-.*-seconds$/.test(name))
  const durationTexts = durations.map(([name, seconds]) => [name, `${seconds} (${formatDuration(seconds)})`])
  // Swagger UI fills in an example, and would send it: only a required parameter keeps its example.
  const filledExample = required ? { example } : {}
  const isExampleShown = !required && example !== undefined && example !== schema.default
  const exampleText = isExampleShown && `For example \`${write(example)}\`.`
  // The description of the schema is that of any value of its type.
  const paragraphs = joinParagraphs(
    description ?? schema.description,
    describeLimits({ description, ...schema }),
    exampleText,
  )
  return { ...parameter, ...filledExample, ...Object.fromEntries(durationTexts), description: paragraphs }
}

/** Adds the limits of its fields to a form, which Swagger UI shows as a table without them. */
function describeForm([type, { schema = {} }]) {
  if (!/^(multipart\/|application\/x-www-form-urlencoded)/.test(type)) return
  for (const field of Object.values(schema.properties ?? {})) {
    field.description = joinParagraphs(field.description, describeLimits(field))
  }
}

function describeOperation(operation, operations) {
  Object.entries(operation.requestBody?.content ?? {}).forEach(describeForm)
  const { deprecated, 'x-stability-level': level, 'x-sunset': sunset } = operation
  const { 'x-deprecated-since': since, 'x-replaced-by': replacement } = operation
  for (const name of ['x-stability-level', 'x-sunset', 'x-deprecated-since', 'x-replaced-by']) delete operation[name]
  const until = sunset && formatDate(sunset)
  operation.badges = [
    ...(deprecated ? [until ? `deprecated, until ${until}` : 'deprecated'] : []),
    ...(level === undefined || (deprecated && level === 'stable') ? [] : [level]),
  ]
  const isSuccessor = (candidate) => replacement !== undefined && candidate.operation.operationId === replacement
  const successor = operations.find(isSuccessor)
  const address = getAddress(successor?.operation.tags?.[0] ?? 'default', replacement)
  const deprecation = deprecated
    ? [
        `**Deprecated${since ? ` since ${formatDate(since)}` : ''}.**`,
        until && `It is served until ${until}, and may be removed after that.`,
        // In HTML, because Swagger UI opens the links of Markdown in another tab.
        successor && `Use <a href="${address}">${successor.name}</a> instead.`,
      ]
    : []
  const alternatives = operation.security.map((requirement) =>
    Object.entries(requirement)
      .map(([name, scopes]) => (scopes.length > 0 ? `${name} with the scope ${joinCode(scopes)}` : name))
      .join(' and '),
  )
  const needs = `**Needs:** ${alternatives.map((names) => names || 'nothing').join(', or ') || 'nothing'}.`
  operation.description = joinParagraphs(deprecation.filter(Boolean).join(' '), operation.description, needs)
  for (const response of Object.values(operation.responses ?? {})) describeStream(response)
}

/** Shows the schema of the items of a stream, which Swagger UI does not know (OpenAPI 3.2, Sequential Media Types). */
function describeStream(response) {
  const streams = Object.entries(response.content ?? {}).filter(([, { itemSchema }]) => itemSchema !== undefined)
  if (streams.length === 0) return
  for (const [, media] of streams) media.schema = media.itemSchema
  const types = streams.map(([type]) => `\`${type}\``).join(', ')
  response.description = joinParagraphs(response.description, `${types}: a stream of items, each as below.`)
}

function describeScopes(name, operations) {
  const scopes = new Map()
  for (const { operation } of operations) {
    for (const scope of operation.security.flatMap((requirement) => requirement[name] ?? [])) {
      scopes.set(scope, [...(scopes.get(scope) ?? []), operation.operationId])
    }
  }
  return Array.from(scopes, ([scope, ids]) => `- \`${scope}\`: ${ids.join(', ')}`).join('\n')
}

/** Shows the first paragraph, and folds the others. */
function foldDescription(description) {
  const [introduction, ...others] = description.split('\n\n')
  const headings = Array.from(others.join('\n\n').matchAll(/^\*\*(.+?)\.?\*\*/gm), ([, heading]) => heading)
  const summary = `<summary>${['Conventions', headings.join(', ')].filter(Boolean).join(': ')}</summary>`
  return others.length > 0 ? joinParagraphs(introduction, `<details>${summary}`, ...others, '</details>') : introduction
}

const UNITS = Object.entries({ hour: 3600, minute: 60, second: 1 })
function formatDuration(seconds) {
  const [unit, size] = UNITS.find(([, unitSeconds]) => seconds % unitSeconds === 0) ?? ['second', 1]
  return `${seconds / size} ${unit}${seconds === size ? '' : 's'}`
}

function formatDate(date) {
  return new Date(date).toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' })
}

export const joinParagraphs = (...paragraphs) => paragraphs.filter(Boolean).join('\n\n')
const joinCode = (names) => names.map((name) => `\`${name}\``).join(' and ')
export const find = (root, path) => path.reduce((value, key) => value?.[key], root)
