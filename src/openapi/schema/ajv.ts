/**
 * The instance of Ajv that validates requests and responses. This file and shared/ajv.ts depend on more than Ajv's public interface;
 * each line of this kind says which line of Ajv 8.20 it works around. validator.ts and testing/schemas.ts pass on its data context.
 */
import type { CodeKeywordDefinition, KeywordCxt } from 'ajv'
import type { Ajv2020 } from 'ajv/dist/2020.js'
import { _ } from 'ajv/dist/compile/codegen/index.js'
import { createBaseAjv } from '../shared/ajv.ts'
import { addErrorFinders } from './error-finders.ts'
import type { TextFormats } from './formats.ts'
import { addKeywords, MAX_LISTED } from './keywords.ts'

/** Creates an Ajv for prepared schemas (prepare.ts). */
export function createAjv(formats: TextFormats): Ajv2020 {
  const ajv = createBaseAjv({
    messages: false,
    // Optimized code takes longer to compile than it saves.
    code: { optimize: false },
  })
  addKeywords(ajv, formats)
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
