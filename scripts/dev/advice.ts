/** What to do next about an error of the compiler, where the guide for contributors knows it. */

/** The next steps, with their sections of the guide, by the errors `FILE:LINE:COLUMN: MESSAGE` that they are for. */
const nextSteps: readonly (readonly [error: RegExp, step: string])[] = [
  [/(required in|from) type 'Handlers</, 'write the handler (docs/contributing-changes.md, "Adding an endpoint")'],
  [
    /does not exist on type 'PetStore'/,
    'declare it in src/stores/store.ts, and write it for each database (docs/contributing-changes.md, "Adding an endpoint")',
  ],
  [
    /(required in|from) type 'PetStore'/,
    'write it for this database (docs/contributing-changes.md, "Adding an endpoint")',
  ],
  [/^src\/stores\/rows\.ts:.* missing/, 'add its column (docs/contributing-changes.md, "Adding a field")'],
]

/** Returns the next step about an error; undefined if only the error itself says it. */
export function findNextStep(error: string): string | undefined {
  return nextSteps.find(([pattern]) => pattern.test(error))?.[1]
}
