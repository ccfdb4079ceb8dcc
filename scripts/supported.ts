/** Compiles `supported.yaml`, the schema of supported documents, into a module that loads in a tenth of the time. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CodeKeywordDefinition } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { _, str } from 'ajv/dist/compile/codegen/index.js'
import names from 'ajv/dist/compile/names.js'
import standalone from 'ajv/dist/standalone/index.js'
import { parse } from 'yaml'

/** Adds the value and its pointer to the values whose relations to others are checked later. */
const relationKeywords = ['check', 'kind', 'refersTo'].map((keyword): CodeKeywordDefinition => {
  return {
    keyword,
    code: ({ gen, data, schema, it }) => {
      const pointer = str`${names.default.instancePath}${it.errorPath}`
      gen.code(_`this.values.push({ keyword: ${keyword}, name: ${schema}, value: ${data}, pointer: ${pointer} })`)
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
