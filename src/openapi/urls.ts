/**
 * The addresses of operations, for `Location` and `Link`: handlers name operations, the document says where they are.
 */
import type { Operation } from './operations.ts'

interface UrlParameters {
  readonly path?: Readonly<Record<string, unknown>>
  readonly query?: Readonly<Record<string, unknown>>
}

/** Makes the function that gives the path and query of an operation, as `UrlOf` types it. */
export function createUrlOf(operations: readonly Pick<Operation, 'id' | 'path'>[], basePath: string) {
  const templates = new Map(operations.map(({ id, path }) => [id, basePath + path]))
  return (operationId: string, { path = {}, query = {} }: UrlParameters): string => {
    const template = templates.get(operationId) as string
    const filled = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(path[name])))
    const search = new URLSearchParams(
      Object.entries(query).flatMap(([name, value]) =>
        value === undefined ? [] : [value].flat().map((each) => [name, String(each)]),
      ),
    )
    return search.size === 0 ? filled : `${filled}?${search}`
  }
}
