/**
 * Creates a function that reports how much of long work is done: it prints a line for each tenth. `before` is done already.
 */
export function createProgress(name: string, total: number, before = 0): (done: number) => void {
  const toTenth = (done: number) => Math.floor((done / total) * 10)
  let tenth = toTenth(before)
  return (done) => {
    if (toTenth(done) > tenth) console.error(`${name}: ${done.toLocaleString('en')} of ${total.toLocaleString('en')}`)
    tenth = toTenth(done)
  }
}
