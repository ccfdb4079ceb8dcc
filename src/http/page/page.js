/**
 * Makes Swagger UI the page of this service: `prepare` says in words what Swagger UI does not show of the spec, and a plugin
 * (Swagger UI's documentation, "Plugin API") has the components that look or work otherwise.
 */
;(() => {
  /** An integer that a number does not hold becomes a bigint, and is written with all its digits. */
  const parse = JSON.parse
  if (JSON.rawJSON) {
    const revive = (_key, value, context) =>
      typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(context?.source ?? '')
        ? BigInt(context.source)
        : value
    JSON.parse = (text, reviver) => parse(text, reviver ?? revive)
    BigInt.prototype.toJSON = function () {
      return JSON.rawJSON(this.toString())
    }
  }

  // The colours follow the setting of the system.
  const dark = matchMedia('(prefers-color-scheme: dark)')
  const setColours = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
  dark.addEventListener('change', setColours)
  setColours()

  const METHODS = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query'])

  function prepare(spec) {
    const root = resolve(spec, spec)
    const operations = Object.entries(root.paths ?? {}).flatMap(([path, { parameters = [], ...item }]) =>
      Object.entries(item).flatMap(([method, operation]) => {
        if (!METHODS.has(method)) return []
        const own = operation.parameters ?? []
        // OpenAPI 3.1, Path Item Object.
        const inherited = parameters.filter((one) => !own.some((each) => each.name === one.name && each.in === one.in))
        operation.parameters = [...own, ...inherited].map(describeParameter)
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

  /** Follows references within the document, and names each schema after its component. */
  function resolve(root, value, stack = []) {
    if (Array.isArray(value)) return value.map((each) => resolve(root, each, stack))
    if (typeof value !== 'object' || value === null) return value
    const { $ref, ...siblings } = value
    if (typeof $ref !== 'string' || !$ref.startsWith('#/')) {
      return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, resolve(root, each, stack)]))
    }
    const unescapeToken = (token) => decodeURIComponent(token).replaceAll('~1', '/').replaceAll('~0', '~')
    const path = $ref.slice(2).split('/').map(unescapeToken)
    const title = path[1] === 'schemas' ? { title: path.at(-1) } : {}
    if (stack.includes($ref)) return { ...title, description: 'The same again.' }
    return resolve(root, { ...title, ...find(root, path), ...siblings }, [...stack, $ref])
  }

  function describeParameter({ example, ...parameter }) {
    const { description, required, schema = {} } = parameter
    const preset = schema.default === undefined ? [] : [`default ${write(schema.default)}`]
    const limits = [...describeLimits(schema), ...preset].join(', ')
    const durations = Object.entries(parameter).filter(([name]) => /^x-.*-seconds$/.test(name))
    const words = durations.map(([name, seconds]) => [name, `${seconds} (${formatDuration(seconds)})`])
    // Swagger UI fills an example in, and would send it.
    const filled = required ? { example } : {}
    const isNew = !required && example !== undefined && example !== schema.default
    const shown = isNew && `For example \`${write(example)}\`.`
    const paragraphs = joinParagraphs(description, schema.description, limits && `**Limits:** ${limits}.`, shown)
    const sample = required || parameter.in === 'query' ? example : undefined
    return { ...parameter, ...filled, sample, ...Object.fromEntries(words), description: paragraphs }
  }

  function describeLimits(schema) {
    const { exclusiveMinimum: above, exclusiveMaximum: below, multipleOf, pattern, items } = schema
    return [
      schema.enum && `one of ${schema.enum.join(', ')}`,
      describeRange(schema.minimum, schema.maximum),
      above !== undefined && `more than ${above}`,
      below !== undefined && `less than ${below}`,
      multipleOf !== undefined && `a multiple of ${multipleOf}`,
      describeRange(schema.minLength, schema.maxLength, ' characters'),
      // A description says it in words.
      pattern !== undefined && schema.description === undefined && `matching \`\` ${pattern} \`\``,
      describeRange(schema.minItems, schema.maxItems, ' items'),
      ...(items ? describeLimits(items).map((limit) => `each ${limit}`) : []),
    ].filter(Boolean)
  }

  function describeRange(low, high, unit = '') {
    if (low === undefined) return high !== undefined && `at most ${high}${unit}`
    return high === undefined ? `at least ${low}${unit}` : `${low} to ${high}${unit}`
  }

  function describeOperation(operation, operations) {
    const { deprecated, 'x-stability-level': level, 'x-sunset': sunset } = operation
    const { 'x-deprecated-since': since, 'x-replaced-by': replacement } = operation
    for (const name of ['x-stability-level', 'x-sunset', 'x-deprecated-since', 'x-replaced-by']) delete operation[name]
    const until = sunset && formatDate(sunset)
    operation.badges = [
      ...(deprecated ? [until ? `deprecated, until ${until}` : 'deprecated'] : []),
      ...(level === undefined || (deprecated && level === 'stable') ? [] : [level]),
    ]
    const successor = operations.find((each) => each.operation.operationId === replacement)
    const place = [successor?.operation.tags?.[0] ?? 'default', replacement].map(encodeURIComponent).join('/')
    const deprecation = deprecated
      ? [
          `**Deprecated${since ? ` since ${formatDate(since)}` : ''}.**`,
          until && `It is served until ${until}, and may be removed after that.`,
          // In HTML, because Swagger UI opens the links of Markdown in another tab.
          successor && `Use <a href="#/${place}">${successor.name}</a> instead.`,
        ]
      : []
    const needs = operation.security.map((requirement) =>
      Object.entries(requirement)
        .map(([name, scopes]) => (scopes.length > 0 ? `${name} with the scope ${joinCode(scopes)}` : name))
        .join(' and '),
    )
    const needed = `**Needs:** ${needs.map((each) => each || 'nothing').join(', or ') || 'nothing'}.`
    operation.description = joinParagraphs(deprecation.filter(Boolean).join(' '), operation.description, needed)
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
    return others.length > 0
      ? joinParagraphs(introduction, `<details>${summary}`, ...others, '</details>')
      : introduction
  }

  const UNITS = Object.entries({ hour: 3600, minute: 60, second: 1 })
  function formatDuration(seconds) {
    const [unit, size] = UNITS.find(([, each]) => seconds % each === 0) ?? ['second', 1]
    return `${seconds / size} ${unit}${seconds === size ? '' : 's'}`
  }

  function formatDate(date) {
    return new Date(date).toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' })
  }

  /** The request that Swagger UI would send with the examples of the spec, and with a placeholder for the key. */
  function buildExample(fn, spec, path, method, contextUrl) {
    const operation = spec.paths[path][method]
    const [type, media = {}] = Object.entries(operation.requestBody?.content ?? {})[0] ?? []
    const getExample = ({ example, examples = {}, schema }) =>
      example ?? Object.values(examples)[0]?.value ?? fn.memoizedSampleFromSchema(schema ?? {}, {})
    const used = operation.parameters.filter(({ required, sample }) => required || sample !== undefined)
    const values = used.map(({ sample, ...parameter }) => [
      `${parameter.in}.${parameter.name}`,
      sample ?? getExample(parameter),
    ])
    const credentials = Object.keys(operation.security[0] ?? {}).map((name) => {
      const { scheme, bearerFormat = 'API key' } = spec.components.securitySchemes[name]
      const secret = `<${bearerFormat.toUpperCase().replaceAll(/\W+/g, '_')}>`
      return [name, { value: /^basic$/i.test(scheme) ? { username: 'USER', password: 'PASSWORD' } : secret }]
    })
    const encode = type?.includes('json') ? JSON.stringify : write
    return fn.buildRequest({
      ...{ spec, contextUrl, operationId: fn.opId(operation, path, method) },
      parameters: Object.fromEntries(values),
      securities: { authorized: Object.fromEntries(credentials) },
      ...(type && { requestContentType: type, requestBody: encode(getExample(media)) }),
    })
  }

  /** Programs that send a request: each begins with the name of its language. */
  function writePrograms({ url, method, headers: { accept, ...headers }, body }) {
    const quoteForShell = (text) => `'${text.replaceAll("'", "'\\''")}'`
    // A string of JavaScript, and of Python.
    const quote = (text) => `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
    const fields = Object.entries(headers)
    const writeFields = (indent) =>
      fields.map(([name, value]) => `\n${indent}${quote(name)}: ${quote(value)},`).join('')
    const flags = method === 'HEAD' ? '-I' : `-i -X ${method}`
    const options = [
      ...fields.map(([name, value]) => `-H ${quoteForShell(`${name}: ${value}`)}`),
      ...(body === undefined ? [] : [`--data-raw ${quoteForShell(body)}`]),
    ]
    return [
      ['curl', [`curl ${flags} ${quoteForShell(url)}`, ...options].join(' \\\n  ')],
      [
        'JavaScript',
        `const response = await fetch(${quote(url)}, {
  method: ${quote(method)},
  headers: {${writeFields('    ')}
  },${body === undefined ? '' : `\n  body: ${quote(body)},`}
})
console.log(response.status, await response.text())`,
      ],
      [
        'Python',
        `from urllib.error import HTTPError
from urllib.request import Request, urlopen

request = Request(
    ${quote(url)},
    method=${quote(method)},
    headers={${writeFields('        ')}
    },${body === undefined ? '' : `\n    data=${quote(body)}.encode(),`}
)
try:
    response = urlopen(request)
except HTTPError as error:
    response = error
print(response.status, response.read().decode())`,
      ],
    ]
  }

  const write = (value) => (typeof value === 'string' ? value : JSON.stringify(value))
  const joinParagraphs = (...paragraphs) => paragraphs.filter(Boolean).join('\n\n')
  const joinCode = (names) => names.map((name) => `\`${name}\``).join(' and ')
  const find = (root, path) => path.reduce((value, key) => value?.[key], root)

  const plugin = ({ React }) => {
    const h = React.createElement
    const markCode = (text) =>
      text.split('`').map((part, index) => (index % 2 ? h('code', { key: index }, part) : part))
    const label = (name, control) => h('label', null, h('span', { className: 'label-text' }, name), control)

    return {
      // `prepare` has resolved everything.
      fn: { resolveSubtree: async (root, path) => ({ errors: [], spec: find(root, path) }) },
      statePlugins: {
        layout: {
          wrapActions: {
            // The address is right already. By default, two more steps are added to the history, and each step back adds them again.
            parseDeepLinkHash: (original) => (hash) => {
              history.pushState = () => {}
              try {
                original(hash)
              } finally {
                delete history.pushState
              }
            },
          },
        },
        spec: {
          wrapActions: {
            // By default, the text is read as YAML, which rounds integers.
            parseToJson:
              (_original, { specActions }) =>
              (text) =>
                specActions.updateJsonSpec(prepare(JSON.parse(text))),
          },
        },
      },
      components: {
        // The address of the JSON that this page reads; the introduction has the contract.
        InfoUrl: () => null,
        // By default a link, which must not be inside a button; an operation that is unfolded shows in the address anyway.
        DeepLink: ({ text }) => h('span', null, text),
      },
      wrapComponents: {
        // By default, the rest of the page can be reached behind the dialogue.
        authorizationPopup:
          (Original, { authActions }) =>
          (props) => {
            const dialog = React.useRef()
            React.useLayoutEffect(() => {
              const { current } = dialog
              current.showModal()
              current.querySelector('input')?.focus()
              return () => current.close()
            }, [])
            const onCancel = () => authActions.showDefinitions(false)
            // From the last element to the first, not to the browser's own controls.
            const onKeyDown = (event) => {
              const controls = Array.from(dialog.current.querySelectorAll('a[href], button, input'))
              const [last, next] = event.shiftKey ? [controls[0], controls.at(-1)] : [controls.at(-1), controls[0]]
              if (event.key !== 'Tab' || event.target !== last) return
              event.preventDefault()
              next.focus()
            }
            return h('dialog', { ref: dialog, 'aria-label': 'Authorize', onCancel, onKeyDown }, h(Original, props))
          },
        ServersContainer:
          (_Original, { specSelectors }) =>
          () => {
            const server = specSelectors.servers().first()?.get('url') ?? '/'
            const getLink = (name) => h('a', { href: new URL(name, specSelectors.url()).href }, name)
            const url = h('code', null, new URL(server, location.href).href.replace(/\/$/, ''))
            const contract = ['The contract is ', getLink('openapi.yaml'), ', or ', getLink('openapi.json')]
            return h('p', { className: 'server' }, ...contract, '. Requests go to ', url, '.')
          },
        OperationSummaryPath:
          (Original, { specSelectors }) =>
          (props) => [
            h(Original, { ...props, key: 'path' }),
            ...specSelectors
              .specJson()
              // A webhook or callback has none.
              .getIn([...props.specPath, 'badges'], [])
              .map((text) => h('span', { key: text, className: `badge ${text.split(',')[0]}` }, text)),
          ],
        responses: (Original, system) => (props) => {
          const { path, method } = props
          const { fn, specSelectors } = system
          const json = specSelectors.specJson()
          const programs = React.useMemo(() => {
            const spec = json.toJS()
            const operation = spec.paths[path]?.[method]
            // A form is a program of its own in each language.
            const isForm = /^multipart\/|form-urlencoded/.test(Object.keys(operation?.requestBody?.content ?? {})[0])
            return isForm || operation === undefined
              ? []
              : writePrograms(buildExample(fn, spec, path, method, specSelectors.url()))
          }, [json, path, method])
          const HighlightCode = system.getComponent('HighlightCode', true)
          const calls = programs.map(([language, text], index) =>
            h(
              'details',
              { key: language, open: index === 0, name: `${method} ${path}` },
              h('summary', null, language),
              h(HighlightCode, { className: 'program', canCopy: true }, text),
            ),
          )
          const heading = h('div', { className: 'opblock-section-header' }, h('h4', null, 'Call it from a program'))
          return [
            calls.length > 0 && h('div', { key: 'calls', className: 'calls' }, heading, calls),
            h(Original, { ...props, key: 'responses' }),
          ]
        },
        // By default, several values have only a comma between them.
        liveResponse:
          (Original) =>
          ({ response, ...props }) => {
            const join = (value) => (typeof value === 'string' ? value : value.join(', '))
            const spaced = React.useMemo(() => response.update('headers', (headers) => headers.map(join)), [response])
            return h(Original, { ...props, response: spaced })
          },
        // There is nothing to choose from one media type.
        contentType: (Original) => (props) => {
          const { contentTypes, value, onChange } = props
          const only = contentTypes?.size === 1 ? contentTypes.first() : undefined
          React.useEffect(() => {
            if (only !== undefined && only !== value) onChange?.(only)
          })
          return only === undefined ? h(Original, props) : h('code', null, only)
        },
        // A response that is folded, unless it is a success.
        response: (Original) => (props) => {
          const { code, response } = props
          const [isOpen, setOpen] = React.useState(code.startsWith('2'))
          const toggle = { className: 'response-toggle', 'aria-expanded': isOpen, onClick: () => setOpen(!isOpen) }
          return [
            h(
              'tr',
              { key: 'summary', className: 'response-summary' },
              h('td', { className: 'response-col_status' }, code),
              h('td', null, h('button', toggle, markCode(response.get('description') ?? ''))),
            ),
            h(Original, {
              ...props,
              key: 'details',
              className: isOpen ? 'response-details' : 'response-details folded',
            }),
          ]
        },
        headers: (Original) => (props) =>
          props.headers.size > 0 &&
          h('details', null, h('summary', null, `${props.headers.size} headers`), h(Original, props)),
        // By default, only the tooltip says what is wrong.
        JsonSchemaForm: (Original) => (props) => {
          const errors = props.errors?.toJS?.() ?? props.errors ?? []
          const text = errors.map((each) => (typeof each === 'string' ? each : `${each.propKey}: ${each.error}`))
          const form = h(Original, { ...props, key: 'form' })
          return [
            props.schema?.get?.('enum') ? label(props.description ?? 'Value', form) : form,
            text.length > 0 && h('p', { key: 'text', className: 'invalid-text', role: 'alert' }, `${text.join('. ')}.`),
          ]
        },
        // By default, bounds that are bigints are not shown.
        JSONSchema202012: (Original) =>
          React.forwardRef(({ schema, ...props }, ref) => {
            const isExact = ['minimum', 'maximum'].some((name) => typeof schema[name] === 'bigint')
            const description = isExact && joinParagraphs(schema.description, `${describeLimits(schema).join(', ')}.`)
            return h(Original, { ...props, ref, schema: isExact ? { ...schema, description } : schema })
          }),
        // The text of a button is its name, for those who see it and those who hear it.
        Button: (Original) => (props) => {
          const name = props['aria-label'] === 'Remove authorization' ? 'Log out' : props['aria-label']
          return h(Original, { ...props, 'aria-label': name, children: name ?? props.children })
        },
        CloseIcon: (Original) => (props) => [
          h(Original, { ...props, key: 'icon' }),
          h('span', { key: 'name', className: 'label-text' }, 'Close'),
        ],
        ExamplesSelect: (Original) => (props) => label('Example', h(Original, props)),
        TextArea: (Original) => (props) => h(Original, { 'aria-label': 'Request body', ...props }),
        SyntaxHighlighter:
          () =>
          ({ className, children }) =>
            h('pre', { className, tabIndex: 0 }, h('code', null, children)),
      },
    }
  }

  const options = {
    // Without the bar that loads other documents.
    layout: 'BaseLayout',
    // Collapsed, so that the operations are in view.
    defaultModelsExpandDepth: 0,
    persistAuthorization: true,
    tryItOutEnabled: true,
    showExtensions: true,
    displayOperationId: true,
    displayRequestDuration: true,
  }
  // The script of that bar is left out, and the plugin's initializer names it.
  window.SwaggerUIStandalonePreset = []
  const create = window.SwaggerUIBundle
  window.SwaggerUIBundle = Object.assign((config) => {
    const ui = create({ ...config, ...options, plugins: [...config.plugins, plugin] })
    // Swagger UI follows the link to an operation only when the page is loaded.
    window.addEventListener('hashchange', () => ui.layoutActions.parseDeepLinkHash(decodeURIComponent(location.hash)))
    return ui
  }, create)
})()
