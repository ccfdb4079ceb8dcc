/**
 * The keywords that are implemented here instead of by Ajv. `type: integer` and `type: number`, with the keywords that belong
 * to them, are replaced by `numeric`, because Ajv supports only one of the types that JavaScript has for numbers. `items` and
 * `additionalProperties`, which a value may violate any number of times, stop when they have found more errors than a message
 * lists.
 */
import type { CodeKeywordDefinition, KeywordCxt, Name } from 'ajv'
import { _, and } from 'ajv/dist/compile/codegen/index.js'
import { Type } from 'ajv/dist/compile/util.js'
import { areDistinct } from '../json.ts'
import { createNumericCheck } from './numbers.ts'
import { MAX_LISTED } from './violations.ts'

/** Has the error of the keyword that `numeric` has replaced in its parameters. */
const numericKeyword: CodeKeywordDefinition = {
  keyword: 'numeric',
  schemaType: 'string',
  error: { message: 'must be a valid number', params: ({ params }) => _`${params.violation}` },
  code: (cxt) => {
    const { gen, data, schema } = cxt
    const check = gen.scopeValue('func', { key: schema, ref: createNumericCheck(schema) })
    const violation = gen.const('violation', _`${check}(${data})`)
    cxt.setParams({ violation })
    cxt.fail(violation)
  },
}

/** JSON Schema Validation 2020-12, section 6.4.3. */
const uniqueItemsKeyword: CodeKeywordDefinition = {
  keyword: 'uniqueItems',
  type: 'array',
  schemaType: 'boolean',
  code: (cxt) => {
    const { gen, data, schema } = cxt
    const isValid = gen.scopeValue('func', { ref: areDistinct })
    if (schema) cxt.pass(_`${isValid}(${data})`)
  },
}

/** JSON Schema 2020-12, section 10.3.1. */
const itemsKeyword: CodeKeywordDefinition = {
  keyword: 'items',
  type: 'array',
  schemaType: 'object',
  trackErrors: true,
  code: (cxt) => {
    const { gen, data } = cxt
    gen.forRange('i', 0, _`${data}.length`, (index) => {
      cxt.subschema({ keyword: 'items', dataProp: index, dataPropType: Type.Num }, gen.name('valid'))
      stopAtLimit(cxt)
    })
    cxt.ok(_`errors === ${cxt.errsCount}`)
  },
}

/** JSON Schema 2020-12, section 10.3.2. */
const additionalPropertiesKeyword: CodeKeywordDefinition = {
  keyword: 'additionalProperties',
  type: 'object',
  schemaType: ['boolean', 'object'],
  before: 'properties',
  trackErrors: true,
  error: { message: 'must be declared', params: ({ params }) => _`{additionalProperty: ${params.name}}` },
  code: (cxt) => {
    const { gen, data, schema, parentSchema } = cxt
    if (schema === true) return
    const validate = (name: Name) => {
      cxt.setParams({ name })
      if (schema === false) cxt.error()
      else cxt.subschema({ keyword: 'additionalProperties', dataProp: name, dataPropType: Type.Str }, gen.name('valid'))
      stopAtLimit(cxt)
    }
    gen.forIn('key', data, (key) => {
      const differs = Object.keys(parentSchema.properties ?? {}).map((name) => _`${key} !== ${name}`)
      gen.if(and(_`true`, ...differs), () => validate(key))
    })
    cxt.ok(_`errors === ${cxt.errsCount}`)
  },
}

/** In the code that Ajv generates, `errors` counts those of the whole value, and `errsCount` is what it was before. */
function stopAtLimit({ gen, errsCount }: KeywordCxt): void {
  gen.if(_`errors - ${errsCount} > ${MAX_LISTED}`, () => gen.break())
}

/** The keywords that take the place of those of Ajv. */
export const VOCABULARY = [numericKeyword, uniqueItemsKeyword, itemsKeyword, additionalPropertiesKeyword]
