/** Compiles `supported.yaml` into a module, which loads in a tenth of the time that the compilation takes. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CodeKeywordDefinition } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { _, str } from 'ajv/dist/compile/codegen/index.js'
import names from 'ajv/dist/compile/names.js'
import standalone from 'ajv/dist/standalone/index.js'
import { parse } from 'yaml'

/** Calls a function with the value and its place, once all values are validated. */
const checkKeyword: CodeKeywordDefinition = {
  keyword: 'check',
  code: ({ gen, data, schema, it }) => {
    const pointer = str`${names.default.instancePath}${it.errorPath}`
    gen.code(_`this.push({ check: ${schema}, value: ${data}, pointer: ${pointer} })`)
  },
}

/** The type of any number: a bigint is none of Ajv. */
const numericKeyword: CodeKeywordDefinition = {
  keyword: 'numeric',
  code: (cxt) => cxt.fail(_`typeof ${cxt.data} !== "number" && typeof ${cxt.data} !== "bigint"`),
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
    code: { source: true, esm: true, lines: true },
    keywords: [checkKeyword, numericKeyword],
  })
  const schema: object = parse(readFileSync(join(import.meta.dirname, 'supported.yaml'), 'utf8'), { merge: true })
  return `// Generated from src/openapi/check/supported.yaml; do not edit.\n${standalone.default(ajv, ajv.compile(schema))}`
}
