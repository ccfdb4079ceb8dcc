/** Ajv, with the keywords and formats that OpenAPI documents have. */
import { createRequire } from 'node:module'
import type { Ajv2020, CodeOptions } from 'ajv/dist/2020.js'
import { _ } from 'ajv/dist/compile/codegen/index.js'
import type { OpenApi, Schema } from '../document/model.ts'
import { mapSchema, toPointer } from '../document/references.ts'
import { FORMATS } from './formats.ts'
import { VOCABULARY } from './keywords.ts'
import { withNumeric } from './numbers.ts'
import type { Validate } from './prepared.ts'

const require = createRequire(import.meta.url)

/** Makes an Ajv that has the components of a document. The code that it generates refers to the parts in `prepared.ts`. */
export function createAjv(root: OpenApi, code: CodeOptions = {}): Ajv2020 {
  // Loaded only if it is needed: it takes a tenth of a start.
  const { Ajv2020 }: typeof import('ajv/dist/2020.js') = require('ajv/dist/2020.js')
  const ajv = new Ajv2020({
    allErrors: true,
    verbose: true,
    // Only own properties count: every object inherits `constructor` and the like.
    ownProperties: true,
    strict: true,
    strictTypes: false,
    strictRequired: false,
    // The document is checked already, and the meta-schema takes 40 ms to compile.
    validateSchema: false,
    formats: FORMATS,
    code: { ...code, formats: _`require("formats")` },
  })
  for (const keyword of VOCABULARY.flatMap((each) => each.keyword)) ajv.removeKeyword(keyword)
  ajv.addVocabulary(VOCABULARY)
  // Each has its own reference: Ajv compiles the parts of a schema again wherever they are referred to.
  for (const [name, component] of Object.entries(root.components?.schemas ?? {})) {
    ajv.addSchema(toAjvSchema(component), toAjvReference(`#${toPointer('components', 'schemas', name)}`))
  }
  return ajv
}

/** Compiles a schema of the document. */
export function compileSchema(ajv: Ajv2020, schema: Schema): Validate {
  // A schema with a reference has only annotations besides.
  const known = schema.$ref === undefined ? undefined : ajv.getSchema(toAjvReference(schema.$ref))
  return known ?? ajv.compile(toAjvSchema(schema))
}

/** The keywords that validate nothing, of which Ajv does not know all; a message may quote the description. */
const ANNOTATION = /^(?:default|deprecated|examples?|title|x-.*)$/

/** The schema in the form in which Ajv validates it. */
export function toAjvSchema(schema: Schema): Schema {
  return mapSchema(schema, (inner) => {
    const known = Object.fromEntries(Object.entries(inner).filter(([keyword]) => !ANNOTATION.test(keyword)))
    return withNumeric(inner.$ref === undefined ? known : { ...known, $ref: toAjvReference(inner.$ref) })
  })
}

/** The reference by which Ajv knows what `$ref` refers to in the document. */
export function toAjvReference($ref: string): string {
  return `openapi${$ref}`
}
