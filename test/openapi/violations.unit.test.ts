/** Errors as data: the violations of a 400, for programs. */
import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { OpenApi } from '../../src/openapi/document/model.ts'
import { readOperations } from '../../src/openapi/document/operations.ts'
import { HttpError, loadDocument, openapi, type Violation } from '../../src/openapi/index.ts'
import { getValueAt } from '../../src/openapi/tools.ts'
import { type Call, send } from '../helpers/http.ts'
import { writeJson } from '../helpers/json.ts'
import { readYaml } from '../helpers/yaml.ts'
import { createHost } from './layer.ts'

interface Case extends Call {
  /** The method and the path: `GET /things`. */
  readonly request: string
  readonly violations: readonly string[]
}

const { document: root, requests } = readYaml<{ readonly document: OpenApi; readonly requests: readonly Case[] }>(
  join(import.meta.dirname, 'violations.yaml'),
)

/** Starts the document; returns the function that sends a request, and returns the error that the app is given. */
async function start(t: Test) {
  const errors: unknown[] = []
  const app = createHost(t)
  app.addHook('onError', async (_request, _reply, error) => void errors.push(error))
  await app.register(openapi, {
    document: await loadDocument({ name: 'things', value: root }),
    handlers: Object.fromEntries(readOperations(root).map(({ id }) => [id, async () => ({ status: 204 })])),
  })
  const origin = await app.listen({ port: 0, host: '127.0.0.1' })
  return async (line: string, call: Call = {}): Promise<HttpError> => {
    const [method = '', path = ''] = line.split(' ')
    await send(origin, method, path, call)
    const error = errors.pop()
    if (error instanceof HttpError) return error
    throw new Error(`${line} causes no HttpError`, { cause: error })
  }
}

const format = ({ in: location, pointer, keyword, params }: Violation) =>
  `${location}${pointer} ${keyword} ${JSON.stringify(params)}`

t.test('a violation has its part of the request, pointer, keyword and parameters', async (t) => {
  const getError = await start(t)
  for (const { request, violations: listed, ...call } of requests) {
    const what = `${request} ${call.body ?? writeJson(call.json)}`
    const { message, statusCode, violations } = await getError(request, call)
    t.equal(statusCode, 400, what)
    t.strictSame(violations.map(format), listed, what)
    const messages = violations.map((violation) => violation.message)
    t.equal(message, messages.slice(0, 10).join('; ') + (messages.length > 10 ? '; and more' : ''), what)
    for (const { in: location, params, pointer } of violations) {
      t.notMatch(JSON.stringify(params), /secret(?!\$)/, `${what}: parameters have nothing of the request`)
      if (location !== 'body' || call.json === undefined) continue
      t.not(getValueAt(call.json, pointer), undefined, `${what}: ${pointer} leads to a value`)
    }
  }
})

t.test('an error has the first eleven violations, each once', async (t) => {
  const getError = await start(t)
  const count = async (json: object) => (await getError('POST /things/1', { json })).violations.map(format)
  const closed = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`m${index}`, 1]))
  const listed = await count({ id: 9007199254740993n, closed })
  t.strictSame(
    listed,
    Object.keys(closed)
      .slice(0, 11)
      .map((name) => `body/closed/${name} unevaluatedProperties {}`),
  )
  const long = 'x'.repeat(50)
  t.strictSame(await count({ id: 9007199254740993n, owner: { [`${long}1`]: 1, [`${long}2`]: 1 } }), [
    `body/owner/${long}1 additionalProperties {}`,
  ])
  const many = await getError(`POST /things/x?${'a=1&b=1&c=1&d=1&e=1&f=1&'}`, { json: { ...closed, id: 1, closed } })
  t.equal(many.violations.length, 11)
})

t.test('a parameter is not reported as missing if too many others are wrong', async (t) => {
  const getError = await start(t)
  const names = Array.from({ length: 20 }, (_, index) => `${'x'.repeat(70)}${index}=1`)
  const { violations } = await getError(`GET /sums?${names.join('&')}&total=1`)
  t.strictSame(violations.map(format), [`query/${'x'.repeat(70)}0 additionalProperties {}`])
})

t.test('a long name that a client chooses is repeated in a message, and in no pointer', async (t) => {
  const getError = await start(t)
  const name = 'x/'.repeat(500)
  const { violations } = await getError('POST /things/1', { json: { id: 9007199254740993n, 'a/b~c': { [name]: 1 } } })
  t.strictSame(violations.map(format), ['body/a~1b~0c type {"type":"string"}'])
})

t.test('an app that changes the parameters of a violation changes no later one', async (t) => {
  const getError = await start(t)
  for (const _each of 'ab') {
    const { violations } = await getError('POST /things/1', { json: { id: 9007199254740993n, kind: 'x' } })
    t.strictSame(violations.map(format), ['body/kind enum {"allowedValues":["a","b",null]}'])
    const [violation] = violations as [Violation]
    Object.assign(violation.params.allowedValues as object, { 0: 'x' })
  }
})
