/**
 * Makes Swagger UI the page of this service: `prepare` says in words what Swagger UI does not show of the spec, and plugins
 * (Swagger UI's documentation, "Plugin API") have the components that look or work otherwise.
 */
import { followLinks, linksPlugin, removeMalformedAddress } from './links.js'
import { membersPlugin } from './members.js'
import { navigationPlugin } from './navigation.js'
import { samplePlugin } from './sample.js'
import { describeType, listLimits } from './schema.js'
import { find, joinParagraphs, prepare } from './spec.js'
import { isJsonStream, streamsPlugin } from './streams.js'

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

const plugin = ({ React }) => {
  const h = React.createElement
  const markCode = (text) => text.split('`').map((part, index) => (index % 2 ? h('code', { key: index }, part) : part))
  const label = (name, control) => h('label', null, h('span', { className: 'label-text' }, name), control)

  return {
    // `prepare` has resolved everything.
    fn: { resolveSubtree: async (root, path) => ({ errors: [], spec: find(root, path) }) },
    afterLoad() {
      // With the format, which Swagger UI shows as `($int32)` by default.
      this.fn.getSchemaObjectTypeLabel = (schema) => describeType(schema?.toJS?.() ?? schema ?? {})
      // By default, the sample of a pattern is another random text each time.
      const { getSampleSchema } = this.fn
      this.fn.getSampleSchema = (...values) => withoutChance(() => getSampleSchema(...values))
    },
    statePlugins: {
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
    },
    wrapComponents: {
      // By default, this is in no landmark, and no heading is between the title and those of the tags.
      InfoContainer: (Original) => (props) => h('section', { 'aria-label': 'Introduction' }, h(Original, props)),
      operations: (Original) => (props) => [
        h('h2', { key: 'heading', className: 'label-text' }, 'Operations'),
        h(Original, { ...props, key: 'operations' }),
      ],
      // By default, a heading of the fourth level, beside those of the second.
      Models: (Original) => (props) => {
        const models = React.useRef()
        React.useEffect(() => models.current.querySelector('h4')?.setAttribute('aria-level', '2'))
        return h('div', { ref: models }, h(Original, props))
      },
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
          const contract = [
            'The contract is ',
            getLink('openapi.yaml'),
            '; for other viewers, ',
            getLink('openapi.json'),
          ]
          const text = h('p', { className: 'server' }, ...contract, '. Requests go to ', url, '.')
          return h('section', { 'aria-label': 'Server' }, text)
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
      // By default, several values have only a comma between them.
      liveResponse:
        (Original) =>
        ({ response, ...props }) => {
          const join = (value) => (typeof value === 'string' ? value : value.join(', '))
          const spaced = React.useMemo(() => response.update('headers', (headers) => headers.map(join)), [response])
          return h(Original, { ...props, response: spaced })
        },
      // By default, a stream of JSON is not shown, because all of it is no JSON.
      responseBody:
        (Original) =>
        ({ content, contentType, ...props }) => {
          const isStream = isJsonStream(contentType)
          const [text, setText] = React.useState('')
          React.useEffect(() => {
            if (isStream) new Response(content).text().then(setText)
          }, [content, isStream])
          return h(
            Original,
            isStream ? { ...props, content: text, contentType: 'text/plain' } : { ...props, content, contentType },
          )
        },
      // There is nothing to choose from one media type. It is set before the fields of a form set their values, which it clears.
      contentType: (Original) => (props) => {
        const { contentTypes, value, onChange } = props
        const onlyType = contentTypes?.size === 1 ? contentTypes.first() : undefined
        React.useLayoutEffect(() => {
          if (onlyType !== undefined && onlyType !== value) onChange?.(onlyType)
        })
        return onlyType === undefined ? h(Original, props) : h('code', null, onlyType)
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
      // By default, lists, choices and files have no name, and only the tooltip says what is wrong.
      JsonSchemaForm: (Original) => (props) => {
        const form = React.useRef()
        React.useEffect(() => {
          for (const field of form.current.querySelectorAll('input, select')) {
            if (field.labels.length === 0) field.ariaLabel ??= props.description ?? 'Value'
          }
        })
        const errors = props.errors?.toJS?.() ?? props.errors ?? []
        const text = errors.map((each) => (typeof each === 'string' ? each : `${each.propKey}: ${each.error}`))
        return [
          h('div', { key: 'form', ref: form }, h(Original, props)),
          text.length > 0 && h('p', { key: 'text', className: 'invalid-text', role: 'alert' }, `${text.join('. ')}.`),
        ]
      },
      // By default, bounds that are bigints are not shown.
      JSONSchema202012: (Original) =>
        React.forwardRef(({ schema, ...props }, ref) => {
          const isExact = ['minimum', 'maximum'].some((name) => typeof schema[name] === 'bigint')
          const description = isExact && joinParagraphs(schema.description, `${listLimits(schema).join(', ')}.`)
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
      // By default, each field of a form that is empty is sent.
      ParameterIncludeEmpty:
        (Original) =>
        ({ isIncludedOptions, ...props }) =>
          h(Original, { ...props, isIncludedOptions: { ...isIncludedOptions, defaultValue: false } }),
      ExamplesSelect: (Original) => (props) => label('Example', h(Original, props)),
      TextArea: (Original) => (props) => h(Original, { 'aria-label': 'Request body', ...props }),
      SyntaxHighlighter:
        () =>
        ({ className, children }) =>
          h('pre', { className, tabIndex: 0 }, h('code', null, children)),
    },
  }
}

/** Calls a function for which each random number is 0: of a pattern, it takes the first alternative and the fewest characters. */
function withoutChance(compute) {
  const { random } = Math
  Math.random = () => 0
  try {
    return compute()
  } finally {
    Math.random = random
  }
}

removeMalformedAddress()
const ui = window.SwaggerUIBundle({
  dom_id: '#swagger-ui',
  url: new URL('../json', import.meta.url).href,
  deepLinking: true,
  // No other server judges the document.
  validatorUrl: null,
  // Without the bar that loads other documents.
  layout: 'BaseLayout',
  // Collapsed, so that the operations are in view.
  defaultModelsExpandDepth: 0,
  persistAuthorization: true,
  tryItOutEnabled: true,
  showExtensions: true,
  displayOperationId: true,
  displayRequestDuration: true,
  plugins: [plugin, linksPlugin, membersPlugin, navigationPlugin, samplePlugin, streamsPlugin],
})
followLinks(ui)
