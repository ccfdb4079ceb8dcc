/** Shows the responses that an operation declares, folded, and the one that it has sent. */
import { isJsonStream } from './streams.js'

export const responsesPlugin = ({ React }) => {
  const h = React.createElement
  const markCode = (text) => text.split('`').map((part, index) => (index % 2 ? h('code', { key: index }, part) : part))

  return {
    wrapComponents: {
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
      // Made when they are first unfolded: they are many elements, and are formatted again at each change of the page.
      // Their names are in the summary, where a search in the page finds them.
      headers: (Original) => (props) => {
        const [isMade, setMade] = React.useState(false)
        const { size } = props.headers
        const summary = h('summary', null, `${size} headers: ${props.headers.keySeq().join(', ')}`)
        return size > 0 && h('details', { onToggle: () => setMade(true) }, summary, isMade && h(Original, props))
      },
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
    },
  }
}
