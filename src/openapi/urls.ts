/**
 * The URLs of operations, for `Location` and `Link`: handlers name operations, and the spec says where they are.
 */
import type { Operation } from './document/operations.ts'

export interface UrlParameters {
  readonly path?: Readonly<Record<string, unknown>>
  readonly query?: Readonly<Record<string, unknown>>
}

/** By operationId, a function that returns the path and query of the operation: `/v1/pets/7`. */
export type UrlBuilders = Readonly<Record<string, (parameters?: UrlParameters) => string>>

export function createUrlBuilders(
  operations: readonly Pick<Operation, 'id' | 'path'>[],
  basePath: string,
): UrlBuilders {
  return Object.fromEntries(operations.map(({ id, path }) => [id, createUrlBuilder(basePath + path)]))
}

function createUrlBuilder(template: string) {
  return ({ path = {}, query = {} }: UrlParameters = {}): string => {
    const url = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(path[name])))
    const pairs = Object.entries(query).flatMap(([name, value]) =>
      [value ?? []].flat().map((each) => `${encodeURIComponent(name)}=${encodeURIComponent(String(each))}`),
    )
    return pairs.length === 0 ? url : `${url}?${pairs.join('&')}`
  }
}
