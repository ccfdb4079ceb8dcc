/** Pages of a list, as a client follows them. */
import type { HttpResponse } from './http.ts'

/** An animal in a response; integers that a number would round are bigint. */
export interface Animal {
  readonly id: number | bigint
  readonly name: string
  readonly categoryId: number | bigint
  readonly status: string
}

/** Returns the animals of a page. */
export function animalsIn({ body }: HttpResponse): readonly Animal[] {
  return body as readonly Animal[]
}

/** Returns the target of the link to the next page (RFC 8288). */
export function nextOf({ headers }: HttpResponse): string | undefined {
  return /^<([^>]+)>; rel="next"$/.exec(headers.link ?? '')?.[1]
}

/** Fetches every page from a path on, up to the one without a next. */
export async function walkPages(
  fetchPage: (path: string) => Promise<HttpResponse>,
  path: string,
): Promise<HttpResponse[]> {
  const pages: HttpResponse[] = []
  for (let next: string | undefined = path; next !== undefined; ) {
    const page = await fetchPage(next)
    pages.push(page)
    next = nextOf(page)
  }
  return pages
}
