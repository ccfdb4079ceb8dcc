/** What all instances of Ajv have in common: those that validate requests and responses, and those of tests of apps. */
import type { Options } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { createPattern } from './patterns.ts'

/** Creates an Ajv that keeps no record of evaluated members: it ignores `unevaluatedProperties` and `unevaluatedItems`. */
export function createBaseAjv(options: Options): Ajv2020 {
  const ajv = new Ajv2020({
    allErrors: true,
    // Messages need the schema of an error.
    verbose: true,
    // Only own properties count: every object inherits `constructor` and the like.
    ownProperties: true,
    // The document is checked already, and the meta-schemas take 50 ms to add and to compile.
    meta: false,
    validateSchema: false,
    // Keywords and formats that Ajv does not know are annotations.
    strict: false,
    logger: false,
    ...options,
    // Ajv requires the property `code`; only standalone output uses it.
    code: { ...options.code, regExp: Object.assign((text: string) => createPattern(text), { code: '' }) },
  })
  // `Ajv2020` sets this option (ajv/lib/2020.ts, constructor), by which Ajv 8.20 records the evaluated members. The record has three
  // mistakes (ajv/lib/compile/util.ts, `evaluatedPropsToName`):
  // - it includes the members that a failed branch evaluates;
  // - it crashes on a `$ref` beside `patternProperties`;
  // - it includes the names of `Object.prototype`.
  ajv.opts.unevaluated = false
  return ajv
}
