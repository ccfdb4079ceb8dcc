/**
 * Pages as a client goes through them.
 */
import type { Answer } from './http.ts'
import type { Service } from './service.ts'

/** An animal in an answer; integers that a number would round are bigint. */
export interface Animal {
  readonly id: number | bigint
  readonly name: string
  readonly categoryId: number | bigint
  readonly status: string
}

/** The animals of a page. */
export function animalsIn({ body }: Answer): readonly Animal[] {
  return body as readonly Animal[]
}

/** Where the next page is, if there is one (RFC 8288). */
export function nextOf({ headers }: Answer): string | undefined {
  return /^<([^>]+)>; rel="next"$/.exec(headers.link ?? '')?.[1]
}

/** Every page from a path on, up to the one without a next. */
export async function walk({ call }: Service, path: string): Promise<Answer[]> {
  const pages: Answer[] = []
  for (let next: string | undefined = path; next !== undefined; next = nextOf(pages.at(-1) as Answer)) {
    pages.push(await call('GET', next))
  }
  return pages
}
