/**
 * The programs that send a request, in each language.
 *
 * @typedef {object} ProgramRequest
 * @property {string} method - In capital letters.
 * @property {string} url
 * @property {Record<string, string>} headers - A multipart form has no Content-Type here: programs make up its boundary.
 * @property {string | File | FormData | undefined} body
 * @property {string} freshKey - The header value in place of which each run of a program makes up another one.
 *
 * The other properties are for TypeScript, whose types have their names:
 * @property {string} baseUrl - The URL before the path.
 * @property {string} path - The path template: `/pets/{petId}`.
 * @property {object[]} parameters - The Parameter Objects, each with the `value` that is sent.
 * @property {object} operation - The Operation Object.
 * @property {string} mediaType - That of the body.
 */

/** The languages in the order in which they are offered, with the functions that write the program of a `ProgramRequest`. */
export const LANGUAGES = {
  curl: writeCurl,
  JavaScript: writeJavaScript,
  Python: writePython,
  TypeScript: writeTypeScript,
}

function writeCurl({ method, url, headers, body, operation }) {
  const quoteForShell = (text) => `'${text.replaceAll("'", "'\\''")}'`
  // Otherwise, a `;` or `,` ends the name.
  const quoteFileName = (name) => (/[;,"\\]/.test(name) ? `"${name.replaceAll(/["\\]/g, '\\$&')}"` : name)
  // Otherwise, curl leaves out a header without a value.
  const writeHeader = ([name, value]) => `-H ${quoteForShell(value === '' ? `${name};` : `${name}: ${value}`)}`
  const writeBody = () => {
    if (body instanceof File) return [`--data-binary ${quoteForShell(`@${body.name}`)}`]
    if (!(body instanceof FormData)) return [`--data-raw ${quoteForShell(body)}`]
    return Array.from(body, ([name, value]) =>
      value instanceof File
        ? `-F ${quoteForShell(`${name}=@${quoteFileName(value.name)}`)}`
        : `--form-string ${quoteForShell(`${name}=${value}`)}`,
    )
  }
  const contents = Object.values(operation.responses ?? {}).flatMap(({ content = {} }) => Object.values(content))
  // Otherwise, curl shows the items of a stream only when there are many of them.
  const noBuffer = contents.some(({ itemSchema }) => itemSchema !== undefined) ? ' -N' : ''
  return [
    `curl -i${noBuffer} ${method === 'HEAD' ? '-I' : `-X ${method}`} ${quoteForShell(url)}`,
    // Otherwise, curl reads brackets in a URL as a pattern.
    ...(/[[\]{}]/.test(url) ? ['--globoff'] : []),
    ...Object.entries(headers).map(writeHeader),
    ...(body === undefined ? [] : writeBody()),
  ].join(' \\\n  ')
}

function writeJavaScript({ method, url, headers, body, freshKey }) {
  const { imports, statements, expression } = writeScriptBody(body)
  return joinLines(
    imports.length > 0 && [...imports, ''],
    statements,
    `const response = await fetch(${quote(url)}, {`,
    `  method: ${quote(method)},`,
    writeScriptHeaders(headers, freshKey),
    expression && `  body: ${expression},`,
    '})',
    'console.log(response.status, await response.text())',
  )
}

function writePython({ method, url, headers, body, freshKey }) {
  const isForm = body instanceof FormData
  const hasFreshKey = Object.values(headers).includes(freshKey)
  const readFile = ({ name }) => `open(${quote(name)}, 'rb').read()`
  const fields = [
    ...Object.entries(headers).map(([name, value]) => [
      quote(name),
      value === freshKey ? 'str(uuid4())' : quote(value),
    ]),
    ...(isForm ? [["'Content-Type'", "f'multipart/form-data; boundary={boundary}'"]] : []),
  ]
  const data = isForm ? 'data' : body instanceof File ? readFile(body) : body !== undefined && `${quote(body)}.encode()`
  return joinLines(
    ['from urllib.error import HTTPError', 'from urllib.request import Request, urlopen'],
    (hasFreshKey || isForm) && 'from uuid import uuid4',
    '',
    isForm && writePythonForm(body, readFile),
    ['request = Request(', `    ${quote(url)},`, `    method=${quote(method)},`],
    fields.length > 0 && ['    headers={', ...fields.map(([name, value]) => `        ${name}: ${value},`), '    },'],
    data && `    data=${data},`,
    [')', 'try:', '    response = urlopen(request)', 'except HTTPError as error:', '    response = error'],
    'print(response.status, response.read().decode())',
  )
}

/** The statements that make the bytes of a multipart form, for which the library of Python has no function. */
function writePythonForm(form, readFile) {
  // As browsers write names in quotes.
  const escapeName = (name) => name.replaceAll('"', '%22')
  const parts = Array.from(form, ([name, value]) =>
    value instanceof File
      ? `    (${quote(`name="${escapeName(name)}"; filename="${escapeName(value.name)}"`)}, ${readFile(value)}),`
      : `    (${quote(`name="${escapeName(name)}"`)}, ${quote(value)}.encode()),`,
  )
  return [
    'boundary = uuid4().hex',
    'parts = [',
    ...parts,
    ']',
    "data = b''.join(",
    "    f'--{boundary}\\r\\nContent-Disposition: form-data; {names}\\r\\n\\r\\n'.encode() + content + b'\\r\\n'",
    '    for names, content in parts',
    ") + f'--{boundary}--\\r\\n'.encode()",
  ]
}

/** Writes a program with openapi-fetch, and with the types that `npm run generate` writes. */
function writeTypeScript({ method, url, headers, body, freshKey, baseUrl, path, parameters, operation, mediaType }) {
  const { imports, statements, options } = writeTypedBody(body, mediaType, operation)
  const parameterNames = parameters.map(({ name }) => name.toLowerCase())
  const isDeclared = (name) => parameterNames.includes(name.toLowerCase())
  // openapi-fetch sends the media type of JSON by itself.
  const otherHeaders = Object.entries(headers).filter(
    ([name, value]) => !isDeclared(name) && value !== 'application/json',
  )
  const groups = ['path', 'query', 'header', 'cookie'].map((place) => {
    const members = parameters
      .filter((parameter) => parameter.in === place)
      .map(({ name, value, schema }) => {
        const literal = value === freshKey ? FRESH_KEY : writeLiteral(readTyped(value, schema), schema)
        return `${writeName(name)}: ${literal}`
      })
    return members.length > 0 && `    ${place}: ${writeList('{ ', members, ' }', '    ')},`
  })
  return joinLines(
    imports,
    ["import createClient from 'openapi-fetch'", "import type { paths } from './openapi.d.ts'", ''],
    statements,
    `const client = createClient<paths>({ baseUrl: ${quote(baseUrl)} })`,
    `const { data, error, response } = await client.${method}(${quote(path)}, {`,
    writeScriptHeaders(Object.fromEntries(otherHeaders)),
    groups.some(Boolean) && ['  params: {', ...groups, '  },'],
    writeQueryOption(url, parameters, isDeclared),
    options,
    mentionsInt64(operation.responses) && [
      '  // As text, because JSON.parse rounds an int64 above 2^53.',
      "  parseAs: 'text',",
    ],
    '})',
    'console.log(response.status, data ?? error)',
  )
}

/** The query as it is, where openapi-fetch would write another one: by its defaults, and without an API key in the query. */
function writeQueryOption(url, parameters, isDeclared) {
  const { search, searchParams } = new URL(url)
  const isDefault = parameters
    .filter((parameter) => parameter.in === 'query')
    .every(({ style = 'form', explode = true, value }) => {
      return style === 'form' && explode && (typeof value !== 'object' || Array.isArray(value))
    })
  if (isDefault && Array.from(searchParams.keys()).every(isDeclared)) return []
  return [`  querySerializer: () => ${quote(search.slice(1))},`]
}

/** True for a media type of JSON, but not for a stream of JSON, such as `application/jsonl`. */
export const isJson = (mediaType) => /[/+]json *(;|$)/i.test(mediaType)

/** The options of openapi-fetch for a body, and what comes before them. The types describe JSON alone. */
function writeTypedBody(body, mediaType, operation) {
  const value = isJson(mediaType) ? parseJson(body) : undefined
  if (value === undefined) {
    const { imports, statements, expression } = writeScriptBody(body)
    const options = expression ? [`  body: ${expression} as never,`, '  bodySerializer: (body) => body,'] : []
    return { imports, statements, options }
  }
  const { schema } = operation.requestBody.content[mediaType]
  // The sample says `any`, because the types of TypeScript do not have `JSON.rawJSON` yet.
  const bigintOption = [
    '  // With all digits of a bigint.',
    '  bodySerializer: (body) =>',
    '    JSON.stringify(body, (_name, value) =>',
    "      typeof value === 'bigint' ? (JSON as any).rawJSON(String(value)) : value,",
    '    ),',
  ]
  const options = [`  body: ${writeLiteral(value, schema, '  ')},`, ...(mentionsInt64(schema) ? bigintOption : [])]
  return { imports: [], statements: [], options }
}

/** The body in JavaScript and TypeScript: an expression, and the imports and statements that it needs. */
function writeScriptBody(body) {
  const imports = ["import { openAsBlob } from 'node:fs'"]
  const openFile = ({ name }) => `await openAsBlob(${quote(name)})`
  if (body === undefined) return { imports: [], statements: [] }
  if (body instanceof File) return { imports, statements: [], expression: openFile(body) }
  if (!(body instanceof FormData)) return { imports: [], statements: [], expression: quote(body) }
  const parts = Array.from(body, ([name, value]) => {
    const part = value instanceof File ? `${openFile(value)}, ${quote(value.name)}` : quote(value)
    return `form.append(${quote(name)}, ${part})`
  })
  const hasFile = Array.from(body.values()).some((value) => value instanceof File)
  return { imports: hasFile ? imports : [], statements: ['const form = new FormData()', ...parts], expression: 'form' }
}

/** The expression of JavaScript and TypeScript that makes up an Idempotency-Key. */
const FRESH_KEY = 'crypto.randomUUID()'

function writeScriptHeaders(headers, freshKey) {
  const fields = Object.entries(headers).map(
    ([name, value]) => `    ${writeName(name)}: ${value === freshKey ? FRESH_KEY : quote(value)},`,
  )
  return fields.length > 0 && ['  headers: {', ...fields, '  },']
}

/** Joins the lines of a program; what it does not need is false, undefined or an empty list. */
function joinLines(...lines) {
  return lines
    .flat()
    .filter((line) => typeof line === 'string')
    .join('\n')
}

/** A string of JavaScript, and of Python. */
function quote(text) {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
}

/** The name of a member in JavaScript. */
function writeName(name) {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : quote(name)
}

/** The value of a parameter that was typed as a text. */
function readTyped(text, schema) {
  const isText = getBranches(schema).some(({ type }) => [type].flat().includes('string'))
  return typeof text !== 'string' || isText ? text : (parseJson(text) ?? text)
}

function parseJson(text) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Writes a value as the generated types have it: an int64 is a bigint. */
function writeLiteral(value, schema, indent = '') {
  const branches = getBranches(schema)
  if (typeof value === 'string') return quote(value)
  if (typeof value !== 'object' || value === null) {
    const isInt64 = branches.some(({ type, format }) => [type].flat().includes('integer') && format === 'int64')
    return isInt64 && /^-?\d+$/.test(value) ? `${value}n` : String(value)
  }
  const writeInner = (inner, schemas) => writeLiteral(inner, { anyOf: schemas.filter(Boolean) }, `${indent}  `)
  const members = Array.isArray(value)
    ? value.map((item) =>
        writeInner(
          item,
          branches.map(({ items }) => items),
        ),
      )
    : Object.entries(value).map(([name, inner]) => {
        const schemas = branches.map(
          ({ properties, additionalProperties }) => properties?.[name] ?? additionalProperties,
        )
        return `${writeName(name)}: ${writeInner(inner, schemas)}`
      })
  return Array.isArray(value) ? writeList('[', members, ']', indent) : writeList('{ ', members, ' }', indent)
}

/** Writes members in one line if they fit, or else each in a line. */
function writeList(open, members, close, indent) {
  const line = members.length > 0 ? open + members.join(', ') + close : open.trim() + close.trim()
  if (line.length < 80 && !line.includes('\n')) return line
  return [open.trim(), ...members.map((member) => `${indent}  ${member},`), indent + close.trim()].join('\n')
}

/** The schema and its branches: any of them may describe the value. */
function getBranches(schema) {
  const { allOf = [], anyOf = [], oneOf = [] } = schema ?? {}
  return [schema ?? {}, ...[...allOf, ...anyOf, ...oneOf].flatMap(getBranches)]
}

function mentionsInt64(schemas) {
  return JSON.stringify(schemas ?? {}).includes('"format":"int64"')
}
