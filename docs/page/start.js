/**
 * Loads the scripts of the page, which are preloaded, once the browser has painted what the server has rendered: evaluating
 * Swagger UI takes it up to seconds.
 */
;(() => {
  const load = () => {
    for (const { href } of document.querySelectorAll('link[rel="preload"][as="script"]')) {
      // In their order (HTML Standard, section 4.12.1).
      document.body.append(Object.assign(document.createElement('script'), { src: href, async: false }))
    }
  }
  // Nothing is painted in a tab that is not shown.
  if (document.hidden) load()
  else requestAnimationFrame(() => setTimeout(load))
})()
