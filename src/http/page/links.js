/** The links to operations: the address of each within the page, and what the page does when somebody follows one. */

export const getAddress = (tag, id) => `#/${encodeURIComponent(tag)}/${encodeURIComponent(id)}`
const parseAddress = (address) => address.slice(2).split('/').map(decodeURIComponent)

/** The address of an operation or a tag to which the page has still to scroll: set by a link, and cleared when that is revealed. */
let pendingAddress

export const linksPlugin = ({ React }) => ({
  statePlugins: {
    layout: {
      wrapSelectors: {
        // By default, a slash in the name of a tag divides it.
        isShownKeyFromUrlHashArray: () => (_state, parts) => {
          const [tag, id] = parts.length > 1 ? parseAddress(location.hash) : parts
          return id ? ['operations', tag, id] : tag ? ['operations-tag', tag] : []
        },
      },
      wrapActions: {
        // The address is right already. By default, two more steps are added to the history, and each step back adds them again.
        parseDeepLinkHash:
          (original, { layoutActions }) =>
          (hash) => {
            history.pushState = () => {}
            try {
              original(hash)
            } finally {
              delete history.pushState
            }
            layoutActions.clearScrollTo()
            pendingAddress = /^#\/./.test(hash) ? location.hash : undefined
            revealSoon(location.hash)
          },
      },
    },
  },
  components: {
    // By default a link, which must not be inside a button; an operation that is unfolded shows in the address anyway.
    DeepLink: ({ text }) => React.createElement('span', null, text),
  },
  wrapComponents: {
    operation: (Original) => (props) => {
      React.useEffect(revealPending)
      return React.createElement(Original, props)
    },
  },
})

/** Follows the links in the page. By default, Swagger UI follows only the one with which the page is loaded. */
export function followLinks(ui) {
  // The position that the browser would restore is another one as soon as an operation above is unfolded.
  history.scrollRestoration = 'manual'
  window.addEventListener('hashchange', () => {
    removeMalformedAddress()
    ui.layoutActions.parseDeepLinkHash(decodeURIComponent(location.hash))
  })
}

/** Removes an address that was cut off within an encoded character. Otherwise, Swagger UI shows an empty page. */
export function removeMalformedAddress() {
  try {
    decodeURIComponent(location.hash)
  } catch {
    history.replaceState(null, '', location.pathname)
  }
}

/** Reveals what has an address in the frame in which it is there: React may render it later, or not again. */
function revealSoon(address, framesLeft = 300) {
  revealPending()
  if (pendingAddress === address && framesLeft > 0) requestAnimationFrame(() => revealSoon(address, framesLeft - 1))
}

/**
 * Scrolls to what has the pending address, and focuses it, once it is unfolded. By default, Swagger UI scrolls while an
 * operation is still folded and the page may be too short, and never to an operation that was on the page before.
 */
function revealPending() {
  if (pendingAddress === undefined) return
  const [tag, id] = parseAddress(pendingAddress)
  const target =
    id === undefined
      ? document.querySelector(`[data-tag="${CSS.escape(tag)}"]`)
      : document.getElementById(CSS.escape(`operations-${tag}-${id}`.replaceAll(/\s/g, '_')))
  const isUnfolded = id === undefined || target?.querySelector('.responses-wrapper')
  if (target === null || !isUnfolded) return
  pendingAddress = undefined
  target.scrollIntoView()
  target.querySelector('button').focus({ preventScroll: true })
}
