/** The URLs of operations, for links in responses. */
import type { Operation } from '../document/operations.ts'
import type { Values } from '../document/values.ts'
import { unwritable, writeParameter } from '../request/styles.ts'

/**
 * Returns the path and query of an operation for values of its parameters: `/v1/pets?limit=7`. Throws a TypeError for a value that
 * would be read as another one, such as `..` in the path, which is also that of a missing value there.
 */
export type BuildUrl = (values?: { readonly path?: Values; readonly query?: Values }) => string

/** By operationId. */
export type Urls = Readonly<Record<string, BuildUrl>>

/** Creates the function that builds the URLs of an operation; `base` is the path before that of the operation. */
export function createUrlBuilder(base: string, { path: template, parameters }: Operation): BuildUrl {
  const toPairs = (location: 'path' | 'query', name: string, value: unknown) => {
    const parameter = parameters.find((declared) => declared.in === location && declared.name === name)
    return parameter === undefined ? [] : writeParameter(parameter, value)
  }
  return ({ path = {}, query = {} } = {}) => {
    const filledPath = template.replaceAll(/\{([^{}]+)\}/g, (_text, name) => {
      const [[, text = ''] = []] = toPairs('path', name, path[name])
      // Clients remove "." and ".." from a path (RFC 3986, section 5.2.4), and no path parameter is empty.
      if (/^\.{0,2}$/.test(text)) throw unwritable(name, text)
      return text
    })
    let url = base + filledPath
    let separator = '?'
    for (const name of Object.keys(query)) {
      for (const [key, text] of toPairs('query', name, query[name])) {
        url += `${separator}${key}=${text}`
        separator = '&'
      }
    }
    return url
  }
}
