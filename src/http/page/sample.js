/** The sample of each operation: a program that sends what is typed at this moment, in the language that is chosen. */
import { isJson, LANGUAGES } from './programs.js'

export const samplePlugin = ({ React }) => {
  const h = React.createElement
  /** The language that was chosen last: the next operation begins with it. */
  let lastLanguage = 'curl'

  function RequestSample(system) {
    const { path, method, specSelectors, oas3Selectors, authSelectors, getComponent } = system
    const [language, setLanguage] = React.useState(lastLanguage)
    const [isSecretShown, setSecretShown] = React.useState(false)
    const json = specSelectors.specJson()
    const spec = React.useMemo(() => getSpecOfPath(json, path), [json, path])
    const operation = spec.paths[path]?.[method]
    const typed = operation && {
      parameters: specSelectors.parameterValues([path, method]).toJS(),
      body: oas3Selectors.requestBodyValue(path, method),
    }
    // Another request needs another key: with the same one, the service would take it for a repetition.
    const freshKey = React.useMemo(createUuid, [JSON.stringify(typed?.parameters), typed?.body])
    // A webhook or a callback is not sent to this server.
    if (operation === undefined) return null

    const authorized = authSelectors.authorized().toJS()
    const alternatives = operation.security.map(Object.keys)
    const isAuthorized = (names) => names.length > 0 && names.every((name) => name in authorized)
    const names = alternatives.find(isAuthorized) ?? alternatives[0] ?? []
    const placeholders = names.map((name) => [name, createPlaceholder(spec.components.securitySchemes[name])])
    const credentials = isSecretShown && isAuthorized(names) ? authorized : Object.fromEntries(placeholders)
    const program = LANGUAGES[language](buildRequest(system, { spec, operation, typed, credentials, freshKey }))

    const HighlightCode = getComponent('HighlightCode', true)
    const chooseLanguage = (name) => {
      lastLanguage = name
      setLanguage(name)
    }
    const choices = Object.keys(LANGUAGES).map((name) => {
      const radio = { type: 'radio', name: `language ${method} ${path}`, checked: name === language }
      return h('label', { key: name }, h('input', { ...radio, onChange: () => chooseLanguage(name) }), name)
    })
    const checkbox = { type: 'checkbox', checked: isSecretShown, onChange: () => setSecretShown(!isSecretShown) }
    return h(
      'div',
      { className: 'sample' },
      h('div', { className: 'opblock-section-header' }, h('h4', null, 'Call it from a program')),
      h('fieldset', null, h('legend', { className: 'label-text' }, 'Language'), choices),
      isAuthorized(names) && h('label', { className: 'secret' }, h('input', checkbox), 'With my credentials'),
      h(HighlightCode, { className: 'program', canCopy: true }, program),
    )
  }

  return {
    components: {
      RequestSample,
      // By default, a response comes with a second sample, which has the credentials.
      curl: () => null,
    },
    wrapComponents: {
      responses:
        (Original, { getComponent }) =>
        (props) => {
          const RequestSample = getComponent('RequestSample', true)
          const { path, method } = props
          return [h(RequestSample, { key: 'sample', path, method }), h(Original, { ...props, key: 'responses' })]
        },
    },
  }
}

/** The part of the spec that a request to this path follows from. */
function getSpecOfPath(json, path) {
  return {
    openapi: json.get('openapi'),
    servers: json.get('servers').toJS(),
    paths: { [path]: json.getIn(['paths', path])?.toJS() },
    components: { securitySchemes: json.getIn(['components', 'securitySchemes'])?.toJS() },
  }
}

/** Builds the request as Swagger UI would do at this moment, as a `ProgramRequest` (programs.js). */
function buildRequest(system, { spec, operation, typed, credentials, freshKey }) {
  const { fn, path, method, specSelectors, oas3Selectors } = system
  const parameters = operation.parameters
    .map((parameter) => {
      const typedValue = typed.parameters[`${parameter.in}.${parameter.name}`]
      return { ...parameter, value: typedValue || inventValue(fn, parameter, freshKey) }
    })
    .filter(({ value }) => value !== undefined)
  const scope = `${path}:${method}`
  const server = oas3Selectors.selectedServer(scope) || oas3Selectors.selectedServer() || spec.servers[0].url
  const serverVariables = oas3Selectors.serverVariables({ server, namespace: scope }).toJS()
  const contextUrl = new URL(specSelectors.url(), location.href).href
  const content = operation.requestBody?.content ?? {}
  const mediaType = oas3Selectors.requestContentType(path, method) ?? Object.keys(content)[0]
  const request = fn.buildRequest({
    spec,
    contextUrl,
    server,
    serverVariables,
    operationId: fn.opId(operation, path, method),
    parameters: Object.fromEntries(
      parameters.map((parameter) => [`${parameter.in}.${parameter.name}`, parameter.value]),
    ),
    securities: { authorized: credentials },
    requestContentType: mediaType,
    responseContentType: oas3Selectors.responseContentType(path, method) || '*/*',
    requestBody: getBody(system, content[mediaType]?.schema, mediaType, typed.body),
  })
  return {
    url: request.url,
    method: request.method,
    path,
    operation,
    mediaType,
    freshKey,
    parameters,
    baseUrl: new URL(fillVariables(server, serverVariables), contextUrl).href.replace(/\/$/, ''),
    headers: getHeaders(request, operation),
    body: request.form ? toFormData(request.form) : isJson(mediaType) ? removeSpaces(request.body) : request.body,
  }
}

/** The headers of a request that programs send. */
function getHeaders(request, { responses }) {
  const { accept, 'Content-Type': contentType, ...headers } = request.headers
  // Swagger UI encodes the placeholder, too.
  headers.Authorization &&= headers.Authorization.replace(btoa('USER:PASSWORD'), '<BASE64_OF_USER:PASSWORD>')
  const hasSeveralTypes = Object.values(responses).some(({ content = {} }) => Object.keys(content).length > 1)
  return {
    ...(hasSeveralTypes && accept !== '*/*' && { Accept: accept }),
    ...headers,
    // The type of a multipart form has a boundary, which the programs make up.
    ...(contentType !== undefined && !/^multipart\//.test(contentType) && { 'Content-Type': contentType }),
  }
}

/** The value of a parameter without one, if it has to be sent. */
function inventValue(fn, { name, in: place, required, schema }, freshKey) {
  if (place === 'header' && /^idempotency-key$/i.test(name)) return freshKey
  return required ? fn.memoizedSampleFromSchema(schema ?? {}, {}) : undefined
}

/** In place of a file that is not chosen yet. */
const createMissingFile = () => new File([], 'FILE')

/** The body as it was typed or chosen: a file, a text, or the fields of a form. */
function getBody(system, schema, mediaType, body) {
  if (system.fn.isFileUploadIntended(schema, mediaType)) return body || createMissingFile()
  // The fields of a form are a map, and anything else is a text.
  return typeof body?.toJS === 'function' ? getFormFields(system, schema, body.toJS()) : body
}

function getFormFields({ fn, path, method, oas3Selectors }, schema, typedFields) {
  const isIncluded = oas3Selectors.requestBodyInclusionSetting(path, method)
  const fields = Object.entries(typedFields).flatMap(([name, { value }]) => {
    if (fn.isFileUploadIntended(schema.properties[name])) return [[name, value || createMissingFile()]]
    return (value !== undefined && value.length !== 0) || isIncluded.get(name) ? [[name, value]] : []
  })
  return Object.fromEntries(fields)
}

/** The multipart form that is sent: an item of an array is a field of its own, and an object is JSON. */
function toFormData(form) {
  const data = new FormData()
  for (const [name, { value, encoding }] of Object.entries(form)) {
    const isList = Array.isArray(value)
    const fields = isList && encoding.explode !== false ? value : [isList ? value.join(',') : value]
    for (const field of fields) {
      data.append(name, field instanceof File || typeof field === 'string' ? field : JSON.stringify(field))
    }
  }
  return data
}

function fillVariables(url, variables) {
  return url.replaceAll(/\{([^{}]+)\}/g, (text, name) => variables[name] ?? text)
}

/** JSON in one line, with its numbers as they are. */
function removeSpaces(json) {
  return json?.replaceAll(/("(?:[^"\\]|\\.)*")|\s+/g, '$1')
}

function createPlaceholder({ scheme, bearerFormat = 'API key' }) {
  const secret = `<${bearerFormat.toUpperCase().replaceAll(/\W+/g, '_')}>`
  return { value: /^basic$/i.test(scheme) ? { username: 'USER', password: 'PASSWORD' } : secret }
}

/** A random UUID (RFC 9562, section 5.4). `crypto.randomUUID` is not there over plain HTTP. */
function createUuid() {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-8$4-$5')
}
