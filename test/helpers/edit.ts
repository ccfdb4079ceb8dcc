/** Edits of a text by lines, as some YAML files of tests have them. */

/**
 * Returns a text after an edit: "@" goes to the next such line, "-" takes it out, "+" puts one in at the place. Throws if there
 * is no such line.
 */
export function editLines(text: string, edit: string): string {
  let edited = text
  // A place is that of the end of a line.
  let place = 0
  for (const each of edit.trimEnd().split('\n')) {
    const line = `\n${each.slice(1)}\n`
    const found = edited.indexOf(line, place)
    if (each[0] === '+') {
      edited = edited.slice(0, place) + line.slice(0, -1) + edited.slice(place)
    } else if (found < 0) {
      throw new Error(`there is no such line: ${each}`)
    } else if (each[0] === '-') {
      edited = edited.slice(0, found) + edited.slice(found + line.length - 1)
    }
    place = (each[0] === '+' ? place : found) + (each[0] === '-' ? 0 : line.length - 1)
  }
  return edited
}
