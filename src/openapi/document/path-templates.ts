/** Path templates (OpenAPI 3.1, Path Templating). */

/** A parameter in a template. */
export const PATH_PARAMETER = /\{[^{}]+\}/g

/**
 * Compares templates for sorting by precedence. Of those with as many segments, the one with more literal text in the first segment in
 * which they differ comes first. A segment without a parameter has the most (OpenAPI 3.1, Paths Object).
 *
 * | first                   | second                 |
 * |-------------------------|------------------------|
 * | `/books/new`            | `/books/{isbn}.json`   |
 * | `/books/{isbn}.json`    | `/books/{isbn}`        |
 * | `/books/{from}-{to}`    | `/books/{isbn}`        |
 */
export function comparePaths(path: string, otherPath: string): number {
  const lengths = countLiterals(path)
  const otherLengths = countLiterals(otherPath)
  // Templates of several lengths match no common path. Without an order of them, `sort` may leave others unsorted.
  if (lengths.length !== otherLengths.length) return lengths.length - otherLengths.length
  const index = lengths.findIndex((length, position) => length !== otherLengths[position])
  // Two infinite lengths are equal, so they are not subtracted.
  return index === -1 ? 0 : (otherLengths[index] ?? 0) - (lengths[index] as number)
}

/** Counts the characters of each segment that are not of a parameter. */
function countLiterals(template: string): number[] {
  return template
    .split('/')
    .map((segment) =>
      segment.search(PATH_PARAMETER) === -1 ? Infinity : segment.replaceAll(PATH_PARAMETER, '').length,
    )
}

/** Returns the parameter names in a path template: `id` for `/pets/{id}`. */
export function getPathParameters(template: string): string[] {
  return Array.from(template.matchAll(PATH_PARAMETER), ([parameter]) => parameter.slice(1, -1))
}
