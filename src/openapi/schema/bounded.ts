/**
 * The keywords that a value may violate any number of times: `items` and `additionalProperties` (JSON Schema 2020-12,
 * sections 10.3.1 and 10.3.2). Each stops when it has found more errors than a message lists.
 */
import { _, type CodeKeywordDefinition, type KeywordCxt, type Name } from 'ajv'
import { and } from 'ajv/dist/compile/codegen/index.js'
import { Type } from 'ajv/dist/compile/util.js'
import { MAX_LISTED } from './violations.ts'

export const itemsKeyword: CodeKeywordDefinition = {
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
    pass(cxt)
  },
}

export const additionalPropertiesKeyword: CodeKeywordDefinition = {
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
    pass(cxt)
  },
}

/** In the code that Ajv generates, `errors` counts those of the whole value, and `errsCount` is what it was before. */
function stopAtLimit({ gen, errsCount }: KeywordCxt): void {
  gen.if(_`errors - ${errsCount} > ${MAX_LISTED}`, () => gen.break())
}

function pass(cxt: KeywordCxt): void {
  cxt.ok(_`errors === ${cxt.errsCount}`)
}
