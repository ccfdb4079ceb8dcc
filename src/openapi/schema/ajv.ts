/** Creates the instances of Ajv, which compile prepared schemas (prepare.ts). */
import { Ajv2020 } from 'ajv/dist/2020.js'
import { createPattern } from '../shared/patterns.ts'
import type { TextFormats } from './formats.ts'
import { addKeywords } from './keywords.ts'

/** Creates an Ajv whose keywords and formats judge values exactly. */
export function createAjv(formats: TextFormats): Ajv2020 {
  const ajv = new Ajv2020({
    allErrors: true,
    // messages.ts has the messages.
    messages: false,
    // Messages depend on the value and the schema of an error.
    verbose: true,
    // Only own properties count: every object inherits `constructor` and the like.
    ownProperties: true,
    // The document is checked already, and the meta-schemas take 50 ms to add and to compile.
    meta: false,
    validateSchema: false,
    // Keywords and formats that Ajv does not know are annotations.
    strict: false,
    logger: false,
    code: {
      // Optimized code takes longer to compile than it saves.
      optimize: false,
      // Ajv requires the property `code`; only standalone output uses it.
      regExp: Object.assign((text: string) => createPattern(text), { code: '' }),
    },
  })
  addKeywords(ajv, formats)
  return ajv
}
