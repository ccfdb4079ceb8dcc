/** Prepares the spec for Swagger UI: resolves references, and puts into words what Swagger UI does not show. */
import { getAddress } from './links.js'
import { describeLimits, mergeAllOf, write } from './schema.js'

const METHODS = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query'])

/** Returns a prepared copy of a spec. */
export function prepare(spec) {
  // The copy that all functions below change.
  const root = resolveReferences(spec)
  dropExtensions(root.paths)
  const operations = listOperations(root.paths)
  for (const { operation } of operations) {
    operation.parameters = operation.parameters.map(describeParameter)
    operation.security ??= root.security ?? []
  }
  for (const { operation } of operations) describeOperation(operation, operations)
  const callbacks = operations.flatMap(({ operation }) => Object.values(operation.callbacks ?? {}))
  callbacks.forEach(dropExtensions)
  // The service sends these requests itself, so no credential for it belongs to them.
  for (const { operation } of [root.webhooks, ...callbacks].flatMap(listOperations)) operation.security ??= []
  const schemes = root.components?.securitySchemes ?? {}
  root.info.description = foldDescription(root.info.description ?? '', schemes)
  for (const [name, scheme] of Object.entries(schemes)) describeScheme(name, scheme, operations)
  return root
}

/** Removes the extensions among paths or responses, which may have any value: Swagger UI and this page would read them as such. */
function dropExtensions(object = {}) {
  for (const name of Object.keys(object)) if (name.startsWith('x-')) delete object[name]
}

/** Lists the operations of Path Items by path, and gives each the parameters of its path. */
function listOperations(items = {}) {
  return Object.entries(items).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, operation]) => {
      if (!METHODS.has(method)) return []
      dropExtensions(operation.responses)
      const { parameters = [] } = operation
      // A parameter of the operation replaces the path's (OpenAPI 3.1, Path Item Object).
      const isReplaced = (pathParameter) =>
        parameters.some(({ name, in: place }) => name === pathParameter.name && place === pathParameter.in)
      const pathParameters = (item.parameters ?? []).filter((parameter) => !isReplaced(parameter))
      operation.parameters = [...parameters, ...pathParameters]
      return [{ name: `${method.toUpperCase()} ${path}`, operation }]
    }),
  )
}

/** The most ways to follow references between recursive schemas that are resolved; two references are always followed. */
const MAX_WAYS = 1000

/** Follows the references within a document, and names each schema after its component. */
function resolveReferences(root) {
  const { schemas = {} } = root.components ?? {}
  const recursive = findRecursive(schemas)
  // Among n schemas that refer to each other, each further reference multiplies the ways by up to n.
  const maxRecursive = Math.max(2, Math.floor(Math.log(MAX_WAYS) / Math.log(recursive.size)))
  // Each schema as a reference to itself, so that it counts as being followed.
  const references = Object.keys(schemas).map((name) => [name, { $ref: `#/components/schemas/${name}` }])
  return resolve({ ...root, components: { ...root.components, schemas: Object.fromEntries(references) } })

  /** `stack` has the references that are being followed, so that a schema within itself ends with "The same again." */
  function resolve(value, stack = []) {
    if (Array.isArray(value)) return value.map((item) => resolve(item, stack))
    if (typeof value !== 'object' || value === null) return value
    const { $ref, ...siblings } = value
    if (typeof $ref !== 'string' || !$ref.startsWith('#/')) {
      return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, resolve(member, stack)]))
    }
    const path = parseReference($ref)
    const target = find(root, path)
    // The literal `$ref` of an example may lead nowhere.
    if (target === undefined) return value
    const title = path[1] === 'schemas' ? { title: path.at(-1) } : {}
    if (stack.includes($ref)) return { ...title, type: target.type, description: 'The same again.' }
    if (recursive.has($ref) && stack.filter((reference) => recursive.has(reference)).length >= maxRecursive) {
      return { ...title, type: target.type, description: 'See **Schemas** at the end of the page.' }
    }
    return resolve({ ...title, ...target, ...siblings }, [...stack, $ref])
  }
}

/** Returns the keys of the path to a reference's target. Leaves them encoded if they are not valid in a URL. */
function parseReference($ref) {
  const tokens = $ref.slice(2).split('/')
  try {
    return tokens.map((token) => decodeURIComponent(token).replaceAll('~1', '/').replaceAll('~0', '~'))
  } catch {
    return tokens
  }
}

/** Finds the references to schemas that refer to themselves, directly or over other schemas. */
function findRecursive(schemas) {
  const targets = new Map(
    Object.entries(schemas).map(([name, schema]) => [
      `#/components/schemas/${name}`,
      new Set(Array.from(JSON.stringify(schema).matchAll(/"\$ref":"(.*?)"/g), ([, $ref]) => $ref)),
    ]),
  )
  const isRecursive = ($ref) => {
    const reachable = new Set(targets.get($ref))
    // A loop over a set reaches what is added to it meanwhile.
    for (const reference of reachable) {
      if (reachable.has($ref)) return true
      for (const target of targets.get(reference) ?? []) reachable.add(target)
    }
    return false
  }
  return new Set([...targets.keys()].filter(isRecursive))
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

/** Adds the limits and media types of its fields to a form, which Swagger UI shows as a table without them. */
function describeForm([type, { schema = {}, encoding = {} }]) {
  if (!/^(multipart\/|application\/x-www-form-urlencoded)/.test(type)) return
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const { contentType } = encoding[name] ?? {}
    const types = contentType && `**Media type:** ${joinCode(contentType.split(/, */), ' or ')}.`
    field.description = joinParagraphs(field.description, describeLimits(field), types)
    // By default, Swagger UI fills in a text such as `string`, and sends it.
    const { type: fieldType, example, examples, default: value } = mergeAllOf(field)
    const isFilled = schema.required?.includes(name) || (example ?? examples ?? value) !== undefined
    if (!isFilled) field.example = fieldType === 'array' ? [] : ''
  }
}

/** Says the limits of a whole body in words. */
function describeBody(body) {
  const { 'x-max-bytes': bytes, 'x-max-depth': depth } = body
  const limits = [bytes && `at most ${formatBytes(bytes)}`, depth && `at most ${depth} levels of nesting`].filter(
    Boolean,
  )
  body.description = joinParagraphs(body.description, limits.length > 0 && `**Limits:** ${limits.join(', ')}.`)
  Object.entries(body.content ?? {}).forEach(describeForm)
}

/** Describes a security scheme, and lists the operations that need its scopes. */
function describeScheme(name, scheme, operations) {
  const scopes = describeScopes(name, operations)
  const stored = 'What you enter is stored in this browser (in its local storage), until you choose **Log out**.'
  // The policy of the page lets it ask no other server for a token, so people enter one.
  if (/^(oauth2|openIdConnect)$/.test(scheme.type)) {
    Object.assign(scheme, { type: 'http', scheme: 'bearer', bearerFormat: 'token' })
  }
  // Swagger UI's own heading has the words of the spec, such as `(http, Bearer)`; page.css hides it.
  const heading = `#### ${getCredentialName(scheme)} (${name})`
  scheme.description = joinParagraphs(heading, scheme.description, scopes && 'Scopes:', scopes, stored)
}

/** Describes the body, the deprecation, the credentials and the streams of an operation in words. */
function describeOperation(operation, operations) {
  if (operation.requestBody) describeBody(operation.requestBody)
  const { deprecated, 'x-stability-level': level, 'x-sunset': sunset } = operation
  const until = sunset && formatDate(sunset)
  operation.badges = [
    ...(deprecated ? [until ? `deprecated, until ${until}` : 'deprecated'] : []),
    ...(level === undefined || (deprecated && level === 'stable') ? [] : [level]),
  ]
  const deprecation = deprecated && describeDeprecation(operation, until, operations)
  operation.description = joinParagraphs(deprecation, operation.description, describeNeeds(operation))
  for (const name of ['x-stability-level', 'x-sunset', 'x-deprecated-since', 'x-replaced-by']) delete operation[name]
  for (const response of Object.values(operation.responses ?? {})) describeStream(response)
}

/** Describes since when an operation is deprecated, until when it is served, and which operation replaces it. */
function describeDeprecation({ 'x-deprecated-since': since, 'x-replaced-by': replacement }, until, operations) {
  const isSuccessor = (candidate) => replacement !== undefined && candidate.operation.operationId === replacement
  const successor = operations.find(isSuccessor)
  const address = getAddress(successor?.operation.tags?.[0] ?? 'default', replacement)
  const sentences = [
    `**Deprecated${since ? ` since ${formatDate(since)}` : ''}.**`,
    until && `It is served until ${until}, and may be removed after that.`,
    // In HTML, because Swagger UI opens the links of Markdown in another tab.
    successor && `Use <a href="${address}">${successor.name}</a> instead.`,
  ]
  return sentences.filter(Boolean).join(' ')
}

/** Lists the credentials that an operation accepts, with their scopes. */
function describeNeeds({ security }) {
  const alternatives = security.map((requirement) =>
    Object.entries(requirement)
      .map(([name, scopes]) => (scopes.length > 0 ? `${name} with the scope ${joinCode(scopes)}` : name))
      .join(' and '),
  )
  return `**Needs:** ${alternatives.map((names) => names || 'nothing').join(', or ') || 'nothing'}.`
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

/** The beginning of a section, after an empty line: `## Format`, or `**Format.** Bodies are JSON.` */
const SECTION_HEADING = /\n\n(?:#+ +|\*\*)(.+?)\.?(?:\*\*|\n|$)/

/** Shows the first paragraph, folds each section behind its heading, and ends with authentication. */
function foldDescription(description, schemes) {
  // Mark the lines of fenced code: a comment or an empty line in it begins no section.
  const marked = description.replaceAll(/^ *(```|~~~)[\s\S]*?^ *\1/gm, (code) => code.replaceAll(/^/gm, '\0'))
  const [introduction, ...paragraphs] = marked.replace(/^#.*\s+/, '').split('\n\n')
  // A text, and then headings and texts in turn.
  const [untitledText, ...parts] = `\n\n${paragraphs.join('\n\n')}`.split(SECTION_HEADING)
  const sections = [['More', untitledText.trim()]]
  for (let index = 0; index < parts.length; index += 2) sections.push([parts[index], parts[index + 1].trim()])
  const isAuthentication = ([name]) => /^authentication/i.test(name)
  const [, authentication = listSchemes(schemes)] = sections.find(isAuthentication) ?? []
  const folds = sections
    .filter((section) => section[1] !== '' && !isAuthentication(section))
    .map(([name, text]) => joinParagraphs(`<details><summary>${name}</summary>`, text, '</details>'))
  const folded = joinParagraphs(introduction, ...folds, authentication && '## Authentication', authentication)
  return folded.replaceAll('\0', '')
}

function listSchemes(schemes) {
  return Object.entries(schemes)
    .map(([name, scheme]) => `- **${getCredentialName(scheme)}** (${name}). ${scheme.description ?? ''}`)
    .join('\n')
}

/** What people call the credential of a security scheme. */
function getCredentialName({ type, scheme = '', bearerFormat = 'Token' }) {
  if (type === 'apiKey') return 'API key'
  return /^basic$/i.test(scheme) ? 'User name and password' : bearerFormat
}

const DURATIONS = Object.entries({ hour: 3600, minute: 60, second: 1 })
function formatDuration(seconds) {
  const [unit, size] = DURATIONS.find(([, unitSeconds]) => seconds % unitSeconds === 0) ?? ['second', 1]
  return `${seconds / size} ${unit}${seconds === size ? '' : 's'}`
}

const SIZES = Object.entries({ GiB: 2 ** 30, MiB: 2 ** 20, KiB: 2 ** 10, GB: 1e9, MB: 1e6, kB: 1e3, bytes: 1 })
function formatBytes(bytes) {
  const [unit, size] = SIZES.find(([, unitBytes]) => bytes % unitBytes === 0)
  return `${bytes / size} ${unit}`
}

function formatDate(date) {
  return new Date(date).toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' })
}

export const joinParagraphs = (...paragraphs) => paragraphs.filter(Boolean).join('\n\n')
const joinCode = (names, word = ' and ') => names.map((name) => `\`${name}\``).join(word)
export const find = (root, path) => path.reduce((value, key) => value?.[key], root)
