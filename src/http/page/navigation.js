/** Shows all operations by their tags beside the page, with a search, if there are many. Each is a link that can be shared. */
import { getAddress } from './links.js'

/** The most operations of a page without navigation. */
const MAX_WITHOUT = 8

export const navigationPlugin = ({ React }) => {
  const h = React.createElement

  function Navigation({ specSelectors, fn }) {
    const [phrase, setPhrase] = React.useState('')
    // On a narrow screen, the list is folded until somebody searches.
    const [isOpen, setOpen] = React.useState(false)
    const [address, setAddress] = React.useState(location.hash)
    React.useEffect(() => {
      // Swagger UI changes the address without an event of the window when somebody unfolds an operation.
      const onChange = () => setAddress(location.hash)
      window.navigation?.addEventListener('currententrychange', onChange)
      return () => window.navigation?.removeEventListener('currententrychange', onChange)
    }, [])
    const list = React.useRef()
    React.useEffect(() => {
      list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })
    }, [address])
    const json = specSelectors.specJson()
    const operations = React.useMemo(() => listOperations(specSelectors, fn), [json])
    if (operations.length <= MAX_WITHOUT) return null

    const words = phrase.toLowerCase().split(/\s+/)
    const matchingOperations = operations.filter(({ text }) => words.every((word) => text.includes(word)))
    const showLink = ({ href, method, name }) =>
      h(
        'li',
        { key: href },
        h(
          'a',
          { href, 'aria-current': href === address ? 'location' : undefined, onClick: () => setOpen(false) },
          h('span', { className: `method ${method}` }, method.toUpperCase()),
          h('span', null, name),
        ),
      )
    const showTag = ([heading, operations]) =>
      h('li', { key: heading }, h('span', { className: 'tag' }, heading), h('ul', null, operations.map(showLink)))
    const onChange = ({ target }) => {
      setPhrase(target.value)
      setOpen(target.value !== '')
    }
    const search = { type: 'search', placeholder: 'Search', 'aria-label': 'Search operations', value: phrase, onChange }
    const count = matchingOperations.length === 1 ? '1 operation' : `${matchingOperations.length} operations`
    return h(
      'nav',
      { className: isOpen ? 'open' : '', 'aria-label': 'Operations' },
      h(
        'div',
        { className: 'search' },
        h('input', search),
        h('button', { className: 'btn', 'aria-expanded': isOpen, onClick: () => setOpen(!isOpen) }, 'Operations'),
      ),
      h('p', { role: 'status' }, count),
      h('ul', { ref: list }, Object.entries(Object.groupBy(matchingOperations, ({ heading }) => heading)).map(showTag)),
    )
  }

  return {
    components: { Navigation },
    wrapComponents: {
      // The place at which Swagger UI can have a filter of tags, between the introduction and the operations.
      FilterContainer:
        (_Original, { getComponent }) =>
        () =>
          h(getComponent('Navigation', true)),
    },
  }
}

/** The operations and webhooks in the order of the page, each with its address and the text in which a search looks. */
function listOperations({ taggedOperations, isOAS31, selectWebhooksOperations }, fn) {
  const taggedEntries = Array.from(taggedOperations(), ([tag, group]) =>
    Array.from(group.get('operations'), (entry) => ({ ...entry.toObject(), tag, heading: tag })),
  )
  const webhooks = isOAS31() ? Object.values(selectWebhooksOperations()).flat() : []
  const webhookEntries = webhooks.map((entry) => ({
    ...entry,
    operation: entry.operation.get('operation'),
    tag: 'webhooks',
    heading: 'Webhooks',
  }))
  return [...taggedEntries.flat(), ...webhookEntries].map(({ tag, heading, path, method, operation }) => {
    const id = operation.get('operationId') || fn.opId(operation, path, method)
    const name = operation.get('summary') || path
    const text = [heading, method, path, id, name, operation.get('description')].join(' ').toLowerCase()
    return { heading, method, name, text, href: getAddress(tag, id) }
  })
}
