/**
 * Makes Swagger UI the page of this service: `prepare` says in words what Swagger UI does not show of the spec, and plugins
 * (Swagger UI's documentation, "Plugin API") have the components that look or work otherwise.
 */
import { accessibilityPlugin } from './accessibility.js'
import { followLinks, linksPlugin, removeMalformedAddress } from './links.js'
import { membersPlugin } from './members.js'
import { navigationPlugin } from './navigation.js'
import { responsesPlugin } from './responses.js'
import { samplePlugin } from './sample.js'
import { describeType, listLimits } from './schema.js'
import { find, joinParagraphs, prepare } from './spec.js'
import { streamsPlugin } from './streams.js'

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

  return {
    // `prepare` has resolved everything.
    fn: { resolveSubtree: async (root, path) => ({ errors: [], spec: find(root, path) }) },
    afterLoad() {
      // With the format, which Swagger UI shows as `($int32)` by default.
      this.fn.getSchemaObjectTypeLabel = (schema) => describeType(schema?.toJS?.() ?? schema ?? {})
      // By default, the sample of a pattern is another random text each time.
      const { getSampleSchema } = this.fn
      this.fn.getSampleSchema = (...values) => withoutRandomness(() => getSampleSchema(...values))
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
      // There is nothing to choose from one media type. It is set before the fields of a form set their values, which it clears.
      contentType: (Original) => (props) => {
        const { contentTypes, value, onChange } = props
        const onlyType = contentTypes?.size === 1 ? contentTypes.first() : undefined
        React.useLayoutEffect(() => {
          if (onlyType !== undefined && onlyType !== value) onChange?.(onlyType)
        })
        return onlyType === undefined ? h(Original, props) : h('code', null, onlyType)
      },
      // By default, bounds that are bigints are not shown.
      JSONSchema202012: (Original) =>
        React.forwardRef(({ schema, ...props }, ref) => {
          const isExact = ['minimum', 'maximum'].some((name) => typeof schema[name] === 'bigint')
          const description = isExact && joinParagraphs(schema.description, `${listLimits(schema).join(', ')}.`)
          return h(Original, { ...props, ref, schema: isExact ? { ...schema, description } : schema })
        }),
      // By default, each field of a form that is empty is sent.
      ParameterIncludeEmpty:
        (Original) =>
        ({ isIncludedOptions, ...props }) =>
          h(Original, { ...props, isIncludedOptions: { ...isIncludedOptions, defaultValue: false } }),
      SyntaxHighlighter:
        () =>
        ({ className, children }) =>
          h('pre', { className, tabIndex: 0 }, h('code', null, children)),
    },
  }
}

/** Calls a function for which each random number is 0: of a pattern, it takes the first alternative and the fewest characters. */
function withoutRandomness(compute) {
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
  plugins: [
    plugin,
    accessibilityPlugin,
    responsesPlugin,
    linksPlugin,
    membersPlugin,
    navigationPlugin,
    samplePlugin,
    streamsPlugin,
  ],
})
followLinks(ui)
