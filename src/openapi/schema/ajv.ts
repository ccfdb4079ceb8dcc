/**
 * The instance of Ajv. No other file depends on more than Ajv's public interface; each line of this kind says which line of
 * Ajv 8.20 it works around.
 */
import type { CodeKeywordDefinition, KeywordCxt } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { _ } from 'ajv/dist/compile/codegen/index.js'
import { addErrorFinders } from './error-finders.ts'
import { createPattern, type TextFormats } from './formats.ts'
import { addKeywords, MAX_LISTED } from './keywords.ts'

/** Creates an Ajv for prepared schemas (prepare.ts). */
export function createAjv(formats: TextFormats): Ajv2020 {
  const ajv = new Ajv2020({
    allErrors: true,
    // Messages need the schema of an error.
    verbose: true,
    messages: false,
    // Only own properties count: every object inherits `constructor` and the like.
    ownProperties: true,
    // The document is checked already, and the meta-schemas take 50 ms to add and to compile.
    meta: false,
    validateSchema: false,
    strict: false,
    formats: Object.fromEntries(formats),
    logger: false,
    code: {
      // Optimized code takes longer to compile than it saves.
      optimize: false,
      // Ajv requires `code`; only standalone output uses it.
      regExp: Object.assign((text: string) => createPattern(text), { code: '' }),
    },
  })
  // `Ajv2020` sets this option (ajv/lib/2020.ts, constructor), by which Ajv records the evaluated members. Views know them, and
  // the record has three mistakes (ajv/lib/compile/util.ts, `evaluatedPropsToName`):
  // - it includes the members that a failed branch evaluates;
  // - it crashes on a `$ref` beside `patternProperties`;
  // - it includes the names of `Object.prototype`.
  ajv.opts.unevaluated = false
  addKeywords(ajv)
  addErrorFinders(ajv)
  stopEarly(ajv, 'items', 'subschema')
  stopEarly(ajv, 'patternProperties', 'subschema')
  stopEarly(ajv, 'additionalProperties', 'subschema', 'error')
  return ajv
}

/**
 * Ends the loop of a keyword over items or members once there are more errors than a message lists. With `allErrors`, the loops
 * go on to the end (ajv/lib/vocabularies/code.ts, `validateArray`; ajv/lib/vocabularies/applicator), so that 18 kB of invalid
 * items take 37 ms instead of 0.1 ms. The code that Ajv generates for `items` gets the two lines with "errorCountBefore":
 *
 *     const errorCountBefore = errors
 *     for (let i = 0; i < data.length; i++) {
 *       if (errors - errorCountBefore > 10) break
 *       // validates data[i], and counts its errors
 *     }
 *
 * The second line must be the first one in the loop, so it is generated just before the body: whenever the keyword calls one of
 * these `methods` of Ajv's context (`cxt.subschema` for a subschema, `cxt.error` where the subschema is false).
 */
function stopEarly(ajv: Ajv2020, keyword: string, ...methods: readonly ('subschema' | 'error')[]): void {
  const definition = ajv.getKeyword(keyword) as CodeKeywordDefinition
  const { code } = definition
  definition.code = (cxt: KeywordCxt, ruleType) => {
    const { gen } = cxt
    const errorCountBefore = gen.const('errorCountBefore', _`errors`)
    for (const method of methods) {
      const generateBody = cxt[method].bind(cxt) as (...args: unknown[]) => never
      cxt[method] = (...args: unknown[]) => {
        gen.if(_`errors - ${errorCountBefore} > ${MAX_LISTED}`, () => gen.break())
        return generateBody(...args)
      }
    }
    code(cxt, ruleType)
  }
}
