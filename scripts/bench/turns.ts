/** Measures several subjects in turns, so that a machine that becomes slower meanwhile does so for all. */

/**
 * Measures each subject once in each round; in each round, another one is the first. Returns the results of each round in the
 * order of the subjects. The first round is a warm-up, and is not counted.
 */
export async function measureInTurns<Subject, Result>(
  subjects: readonly Subject[],
  rounds: number,
  measure: (subject: Subject) => Promise<Result>,
): Promise<Result[][]> {
  const results: Result[][] = []
  const order = [...subjects.entries()]
  for (let round = 0; round <= rounds; round++) {
    const pairs: (readonly [index: number, result: Result])[] = []
    for (const [index, subject] of order) pairs.push([index, await measure(subject)])
    if (round > 0) results.push(pairs.sort(([first], [second]) => first - second).map(([, result]) => result))
    order.push(...order.splice(0, 1))
  }
  return results
}
