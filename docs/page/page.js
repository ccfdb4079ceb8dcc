/**
 * Makes Swagger UI the page of this service, with a plugin of its own (Swagger UI's documentation, "Plugin API"): exact
 * integers, named schemas, folded prose and responses, and what is said of deprecation, stability and errors.
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

  const plugin = ({ React }) => {
    const h = React.createElement

    /** Follows references within the document, and names each schema after its component. */
    const resolve = (root, value, stack = []) => {
      if (Array.isArray(value)) return value.map((each) => resolve(root, each, stack))
      if (typeof value !== 'object' || value === null) return value
      const { $ref, ...siblings } = value
      if (typeof $ref !== 'string' || !$ref.startsWith('#/')) {
        return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, resolve(root, each, stack)]))
      }
      if (stack.includes($ref)) return { title: getName($ref), description: 'The same again.' }
      const inner = { ...find(root, $ref.slice(2).split('/').map(unescapeToken)), ...siblings }
      if ($ref.startsWith('#/components/schemas/')) inner.title ??= getName($ref)
      return resolve(root, inner, [...stack, $ref])
    }
    /** Adds the parameters of the path that the operation does not have itself (OpenAPI 3.1, Path Item Object). */
    const inherit = (operation, parameters) => {
      const own = operation.parameters ?? []
      const isNew = (one) => !own.some((each) => each.name === one.name && each.in === one.in)
      operation.parameters = [...own, ...parameters.filter(isNew)]
    }
    const find = (root, path) => path.reduce((value, key) => value?.[key], root)
    const unescapeToken = (token) => decodeURIComponent(token).replaceAll('~1', '/').replaceAll('~0', '~')
    const getName = (ref) => unescapeToken(ref.slice(ref.lastIndexOf('/') + 1))

    const resolveSchemas = (root) =>
      Object.fromEntries(
        Object.keys(root.components?.schemas ?? {}).map((name) => {
          const token = name.replaceAll('~', '~0').replaceAll('/', '~1')
          return [name, resolve(root, { $ref: `#/components/schemas/${token}` })]
        }),
      )

    /** A type as people write it: `Pet[]`, `integer int64`. */
    const getType = (schema) => {
      if (typeof schema !== 'object' || schema === null) return schema === false ? 'never' : 'any'
      if (schema.items) return `${schema.items.title ?? getType(schema.items)}[]`
      const alternatives = schema.oneOf ?? schema.anyOf
      if (alternatives) return alternatives.map((each) => each.title ?? getType(each)).join(' | ')
      return [schema.type ?? (schema.properties ? 'object' : 'any')].flat().join(' | ')
    }

    const BOUNDS = {
      minimum: '≥',
      maximum: '≤',
      exclusiveMinimum: '>',
      exclusiveMaximum: '<',
      multipleOf: 'multiple of',
    }
    const stringifyBounds = (schema) =>
      Object.entries(BOUNDS).flatMap(([keyword, sign]) =>
        typeof schema[keyword] === 'bigint' ? [{ scope: 'number', value: `${sign} ${schema[keyword]}` }] : [],
      )

    const formatDate = (date) => {
      const [year, month, day] = String(date).split('-').map(Number)
      const options = { dateStyle: 'long', timeZone: 'UTC' }
      return year && month && day ? new Date(Date.UTC(year, month - 1, day)).toLocaleDateString('en-GB', options) : date
    }

    /** Text in which backquotes mark code. */
    const withCode = (text) =>
      text.split('`').map((part, index) => (index % 2 ? h('code', { key: index }, part) : part))

    const explain = ({ name, message }, url) => {
      if (!navigator.onLine) return 'this device is offline.'
      if (!/failed to fetch|networkerror|load failed/i.test(message)) return `${name}: ${message}`
      return `nothing came back from \`${new URL(url, location.href).origin}\`. The service may be stopped, or the network down.`
    }

    return {
      fn: {
        // Many times faster than Swagger UI's own, which reads the whole document again for each operation.
        resolveSubtree: async (root, path) => {
          const spec = resolve(root, find(root, path))
          if (path[0] === 'paths' && path.length === 3)
            inherit(spec, resolve(root, root.paths[path[1]].parameters ?? []))
          return { errors: [], spec }
        },
        jsonSchema202012: { getType },
      },
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
          wrapSelectors: {
            // By default with references, whose targets have no names.
            selectSchemas: (_original, { specSelectors }) => {
              const get = memoize((spec) => resolveSchemas(spec.toJS()))
              return () => get(specSelectors.specJson())
            },
            // The rest is folded, see InfoContainer.
            selectInfoDescriptionField: (original) => (state) => splitDescription(original(state))[0],
          },
          wrapActions: {
            // By default, the text is read as YAML, which rounds integers.
            parseToJson:
              (_original, { specActions }) =>
              (text) =>
                specActions.updateJsonSpec(JSON.parse(text)),
            setResponse:
              (original, { specSelectors }) =>
              (path, method, response) => {
                // An error with a response is one that the service has sent.
                if (!response.error || response.err.response) return original(path, method, response)
                const reason = explain(response.err, specSelectors.url())
                const err = { name: '', message: `**The request could not be sent:** ${reason}` }
                return original(path, method, { ...response, err })
              },
          },
        },
      },
      components: {
        // The address of the JSON that this page reads; ServersContainer names the file of the contract.
        InfoUrl: () => null,
        // By default a link, which must not be inside a button; an operation that is unfolded shows in the address anyway.
        DeepLink: ({ text }) => h('span', null, text),
      },
      wrapComponents: {
        // Takes the place of what the server has rendered as soon as it has the operations, or says why there are none.
        BaseLayout: (Original, system) => (props) => {
          const { specJson, loadingStatus } = system.specSelectors
          const isReady = specJson().size > 0 || /^failed/.test(loadingStatus())
          // Before Swagger UI finds out where to scroll to.
          React.useInsertionEffect(() => {
            if (isReady) document.getElementById('preview')?.remove()
          }, [isReady])
          return isReady && h(Original, props)
        },
        // By default, an array is `array<object>`, and a bound that is a bigint is not shown.
        withJSONSchema202012SystemContext: (original, system) => (component, overrides) => {
          let Inner
          return original((props) => {
            const { stringifyConstraints } = system.fn.jsonSchema202012.useFn()
            const withBounds = (schema) => [...stringifyBounds(schema), ...stringifyConstraints(schema)]
            const fn = { ...overrides.fn, getType, stringifyConstraints: withBounds }
            Inner ??= original(component, { ...overrides, fn })
            return h(Inner, props)
          }, overrides)
        },
        // The first paragraph is the introduction; the rest is folded.
        InfoContainer: (Original, system) => (props) => {
          const [, rest] = splitDescription(system.specSelectors.info().get('description') ?? '')
          const headings = Array.from(rest.matchAll(/^\*\*(.+?)\.?\*\*/gm), ([, heading]) => heading).join(', ')
          const Markdown = system.getComponent('Markdown', true)
          return h(
            React.Fragment,
            null,
            h(Original, props),
            rest &&
              h(
                'details',
                { className: 'conventions' },
                h('summary', null, ['Conventions', headings].filter(Boolean).join(': ')),
                h(Markdown, { source: rest }),
              ),
          )
        },
        ServersContainer: (_Original, system) => () => {
          const server = system.specSelectors.servers().first()?.get('url') ?? '/'
          const contract = new URL('openapi.yaml', system.specSelectors.url()).href
          return h(
            'p',
            { className: 'server' },
            'The contract is ',
            h('a', { href: contract }, 'openapi.yaml'),
            '. Requests go to ',
            h('code', null, new URL(server, location.href).href.replace(/\/$/, '')),
          )
        },
        OperationSummaryPath: (Original, system) => (props) => {
          const operation = system.specSelectors.specJson().getIn(props.specPath)
          const level = operation.get('x-stability-level') ?? 'stable'
          const sunset = operation.get('x-sunset')
          return h(
            React.Fragment,
            null,
            h(Original, props),
            operation.get('deprecated') &&
              h(
                'span',
                { className: 'badge deprecated' },
                sunset ? `deprecated, until ${formatDate(sunset)}` : 'deprecated',
              ),
            h('span', { className: `badge ${level}` }, level),
          )
        },
        OperationSummary: (Original, system) => (props) => {
          const operation = system.specSelectors.specJson().getIn(props.specPath)
          return h(
            React.Fragment,
            null,
            h(Original, props),
            props.isShown && operation.get('deprecated') && h(Deprecation, { operation, system }),
          )
        },
        // What the banner and the badge say already.
        OperationExt: (Original) => (props) => {
          const extensions = props.extensions.filterNot((_value, name) => SAID.has(name))
          return extensions.size > 0 && h(Original, { ...props, extensions })
        },
        headers: (Original) => (props) =>
          props.headers?.size > 0 &&
          h(
            'details',
            { className: 'headers-fold' },
            h('summary', null, `${props.headers.size} headers`),
            h(Original, props),
          ),
        response: (Original) => (props) => h(Response, { Original, ...props }),
        // The headers, which Swagger UI shows between body and duration, are folded below both.
        liveResponse: (Original) => (props) => {
          const headers = Object.entries(props.response.get('headers').toJS())
          const isSent = props.response.get('status') !== undefined
          return h(
            React.Fragment,
            null,
            h(Original, isSent ? props : { ...props, response: props.response.set('notDocumented', false) }),
            headers.length > 0 &&
              h(
                'details',
                { className: 'headers-fold' },
                h('summary', null, `${headers.length} response headers`),
                h(
                  'pre',
                  { className: 'microlight', tabIndex: 0 },
                  headers.map((header) => header.join(': ')).join('\n'),
                ),
              ),
          )
        },
        // By default, only the tooltip says what is wrong.
        JsonSchemaForm: (Original) => (props) => {
          const errors = props.errors?.toJS?.() ?? props.errors ?? []
          const text = errors.map((each) => (typeof each === 'string' ? each : `${each.propKey}: ${each.error}`))
          const name = props.description ?? 'Value'
          return h(
            React.Fragment,
            null,
            props.schema?.get?.('enum') ? labelled(name, h(Original, props)) : h(Original, props),
            text.length > 0 && h('p', { className: 'invalid-text', role: 'alert' }, `${text.join('. ')}.`),
          )
        },
        // The text of a button is its name, for those who see it and those who hear it.
        Button: (Original) => (props) => h(Original, { ...props, children: props['aria-label'] ?? props.children }),
        CloseIcon: (Original) => (props) => [
          h(Original, { ...props, key: 'icon' }),
          h('span', { key: 'name', className: 'label-text' }, 'Close'),
        ],
        ExamplesSelect: (Original) => (props) => labelled('Example', h(Original, props)),
        TextArea: (Original) => (props) => h(Original, { 'aria-label': 'Request body', ...props }),
        SyntaxHighlighter:
          () =>
          ({ className, children }) =>
            h('pre', { className, tabIndex: 0 }, h('code', null, highlight(String(children)))),
      },
    }

    function labelled(name, control) {
      return h('label', null, h('span', { className: 'label-text' }, name), control)
    }

    function Deprecation({ operation, system }) {
      const [since, until, by] = ['x-deprecated-since', 'x-sunset', 'x-replaced-by'].map((name) => operation.get(name))
      const successor = by && findOperation(system.specSelectors.paths(), by)
      return h(
        'p',
        { className: 'deprecation', role: 'note' },
        h('strong', null, since ? `Deprecated since ${formatDate(since)}.` : 'Deprecated.'),
        until && ` It is served until ${formatDate(until)}, and may be removed after that.`,
        successor && [
          ' Use ',
          h('a', { key: 'successor', href: `#/${encodeURIComponent(successor.tag)}/${by}` }, successor.name),
          ' instead.',
        ],
      )
    }

    function findOperation(paths, id) {
      for (const [path, methods] of paths.entrySeq()) {
        for (const [method, operation] of methods.entrySeq()) {
          if (operation?.get?.('operationId') !== id) continue
          return { name: `${method.toUpperCase()} ${path}`, tag: operation.getIn(['tags', 0]) ?? 'default' }
        }
      }
    }

    /** A response whose details are folded, unless it is a success. */
    function Response({ Original, ...props }) {
      const { code, response } = props
      const [isOpen, setOpen] = React.useState(code.startsWith('2'))
      const toggle = h(
        'button',
        { type: 'button', className: 'response-toggle', 'aria-expanded': isOpen, onClick: () => setOpen(!isOpen) },
        h('span', null, withCode(response.get('description') ?? '')),
      )
      return h(
        React.Fragment,
        null,
        h(
          'tr',
          { className: 'response-summary' },
          h('td', { className: `response-col_status status-${code[0]}` }, code),
          h('td', { className: 'response-col_description' }, toggle),
        ),
        isOpen && h(Original, { ...props, className: `${props.className ?? ''} response-details` }),
      )
    }

    /** Marks the parts of JSON; other text stays as it is. */
    function highlight(text) {
      if (!/^\s*[[{]/.test(text)) return text
      const token = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null)\b|-?\d[\d.eE+-]*/g
      const parts = []
      let end = 0
      for (const match of text.matchAll(token)) {
        const [all, string, colon] = match
        const type = colon ? 'key' : string ? 'string' : /^[tfn]/.test(all) ? 'literal' : 'number'
        const marked = colon ? string : all
        parts.push(text.slice(end, match.index), h('span', { key: match.index, className: `json-${type}` }, marked))
        end = match.index + marked.length
      }
      return [...parts, text.slice(end)]
    }
  }

  const SAID = new Set(['x-deprecated-since', 'x-sunset', 'x-replaced-by', 'x-stability-level'])

  /** Remembers the last result. */
  function memoize(compute) {
    let last
    let result
    return (input) => {
      if (input !== last) result = compute(input)
      last = input
      return result
    }
  }

  function splitDescription(text) {
    const end = text.indexOf('\n\n')
    return end < 0 ? [text, ''] : [text.slice(0, end), text.slice(end + 2)]
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
  // The initializer of the plugin names the script of that bar, which is left out: it is a sixth of the transfer.
  window.SwaggerUIStandalonePreset = []

  const create = window.SwaggerUIBundle
  window.SwaggerUIBundle = Object.assign((config) => {
    const ui = create({ ...config, ...options, plugins: [...config.plugins, plugin] })
    // Swagger UI follows the link to an operation only when the page is loaded.
    window.addEventListener('hashchange', () => ui.layoutActions.parseDeepLinkHash(decodeURIComponent(location.hash)))
    return ui
  }, create)
  // The plugin's script begins then; it may have happened already.
  if (document.readyState === 'complete') window.onload()
})()
