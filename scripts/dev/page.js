// Keeps the documentation page up to date in `npm run dev`: reloads it when another version is served, and shows what is
// wrong with the files that are edited. The Content Security Policy allows styles by the CSSOM only.
;(() => {
  let version
  const banner = document.createElement('pre')
  banner.id = 'dev-problems'
  banner.setAttribute('role', 'alert')
  banner.hidden = true
  Object.assign(banner.style, {
    position: 'sticky',
    top: '0',
    zIndex: '1000',
    margin: '0',
    padding: '12px 16px',
    maxHeight: '50vh',
    overflow: 'auto',
    color: '#fff',
    background: '#8b1a1a',
    font: '13px/1.5 ui-monospace, monospace',
    whiteSpace: 'pre',
  })
  document.body.prepend(banner)

  // Relative to this script, which a proxy may have under a path of its own.
  const events = new EventSource(new URL('../../dev/events', document.currentScript.src))
  events.onmessage = ({ data }) => {
    const state = JSON.parse(data)
    version ??= state.version
    if (state.version !== version) {
      location.reload()
      return
    }
    banner.textContent = state.problems
    banner.hidden = state.problems === ''
  }
})()
