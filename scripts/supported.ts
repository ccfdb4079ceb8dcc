/** Compiles `supported.yaml`, the schema of supported documents, into a module that loads in a tenth of the time. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CodeKeywordDefinition } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { _, type Code, type Name, str } from 'ajv/dist/compile/codegen/index.js'
import names from 'ajv/dist/compile/names.js'
import standalone from 'ajv/dist/standalone/index.js'
import { parse } from 'yaml'

/** The keywords that relate a value to others, each with the code that notes the value, its pointer and the value of the keyword. */
const relationKeywords = Object.entries({
  check: (value: Name, pointer: Code, name: string) =>
    _`this.checkedValues.push({ check: ${name}, value: ${value}, pointer: ${pointer} })`,
  kind: (_value: Name, pointer: Code, name: string) => _`this.kinds.set(${pointer}, ${name})`,
  refersTo: (value: Name, pointer: Code, name: string) =>
    _`this.references.push({ $ref: ${value}, kind: ${name}, pointer: ${pointer} })`,
}).map(([keyword, note]): CodeKeywordDefinition => {
  return {
    keyword,
    code: ({ gen, data, schema, it }) => {
      gen.code(note(data, str`${names.default.instancePath}${it.errorPath}`, schema))
    },
  }
})

/** A text in a format that requests may have, too. */
const formatKeyword: CodeKeywordDefinition = {
  keyword: 'format',
  type: 'string',
  code: (cxt) => cxt.fail(_`!this.formats.get(${cxt.schema})(${cxt.data})`),
}

/** Returns the source of the module: its default export finds all errors in a document, and what is to be checked besides. */
export function compileSupported(): string {
  const ajv = new Ajv2020({
    allErrors: true,
    verbose: true,
    messages: false,
    ownProperties: true,
    passContext: true,
    inlineRefs: false,
    strict: false,
    // The keyword `format` below is not for the meta-schema.
    validateSchema: false,
    code: { source: true, esm: true, lines: true },
    keywords: relationKeywords,
  })
  ajv.removeKeyword('format').addKeyword(formatKeyword)
  const schema: object = parse(readFileSync(join(import.meta.dirname, '../src/openapi/check/supported.yaml'), 'utf8'), {
    merge: true,
  })
  return `// Generated from src/openapi/check/supported.yaml; do not edit.\n${standalone.default(ajv, ajv.compile(schema))}`
}
