/** The instances of Ajv: those that validate requests and responses, and those of tests of apps. */
import { _, type Code, type CodeKeywordDefinition, type KeywordCxt, type Name, type Options } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { createPattern } from '../shared/patterns.ts'
import type { TextFormats } from './formats.ts'
import { addKeywords, type ContextKeywords, MAX_LISTED } from './keywords.ts'

/** Creates the Ajv of requests and responses, for prepared schemas (prepare.ts). */
export function createAjv(formats: TextFormats): Ajv2020 {
  const ajv = createExactAjv(formats, { messages: false })
  for (const loop of LOOPS) ajv.removeKeyword(loop.keyword as string).addKeyword(loop)
  return ajv
}

/** Creates an Ajv whose keywords and formats judge values exactly. */
export function createExactAjv(formats: TextFormats, options: Options = {}): Ajv2020 {
  const ajv = new Ajv2020({
    ...options,
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

/**
 * Keywords that validate many items or members. They replace those of Ajv, whose loops go on to the end with `allErrors`, so that
 * 18 kB of invalid items take 37 ms instead of 0.1 ms. These ones end once more items are invalid than a message lists.
 */
const LOOPS: readonly CodeKeywordDefinition[] = [
  {
    keyword: 'items',
    type: 'array',
    error: { message: '', params: ({ params }) => _`{ limit: ${params.limit} }` },
    code(cxt) {
      const { gen, data, schema, parentSchema, keyword } = cxt
      const limit = parentSchema.prefixItems?.length ?? 0
      cxt.setParams({ limit })
      if (schema === false) return cxt.fail(_`${data}.length > ${limit}`)
      const validate = createMemberCode(cxt)
      gen.forRange('index', limit, _`${data}.length`, (index) =>
        validate({ keyword, dataProp: index, dataPropType: INDEX }),
      )
    },
  },
  {
    keyword: 'patternProperties',
    type: 'object',
    code(cxt) {
      const { gen, data, schema, parentSchema, keyword } = cxt
      const { omittedNames = [] } = parentSchema as ContextKeywords
      const omitted = gen.scopeValue('obj', { ref: new Set(omittedNames) })
      const validate = createMemberCode(cxt)
      for (const pattern of Object.keys(schema)) {
        gen.forIn('name', data, (name) =>
          gen.if(_`${data}[${name}] !== undefined && !${omitted}.has(${name}) && ${matches(cxt, pattern, name)}`, () =>
            validate({ keyword, schemaProp: pattern, dataProp: name, dataPropType: NAME }),
          ),
        )
      }
    },
  },
  {
    keyword: 'additionalProperties',
    type: 'object',
    // Otherwise, a message that lists ten violations lists those of declared members first, and perhaps no misspelt name.
    before: 'properties',
    error: { message: '', params: ({ params }) => _`{ undeclaredName: ${params.name} }` },
    code(cxt) {
      const { gen, data, schema, parentSchema, keyword } = cxt
      const { properties = {}, patternProperties = {}, omittedNames = [] } = parentSchema
      const declaredNames = gen.scopeValue('obj', { ref: new Set([...Object.keys(properties), ...omittedNames]) })
      const isDeclared = (name: Name) =>
        Object.keys(patternProperties).reduce(
          (code, pattern) => _`${code} || ${matches(cxt, pattern, name)}`,
          _`${declaredNames}.has(${name})`,
        )
      const validate = createMemberCode(cxt)
      gen.forIn('name', data, (name) =>
        gen.if(_`!(${isDeclared(name)}) && ${data}[${name}] !== undefined`, () => {
          cxt.setParams({ name })
          validate(schema === false ? undefined : { keyword, dataProp: name, dataPropType: NAME })
        }),
      )
    },
  },
]

/** `Type.Num` and `Type.Str` of Ajv, which does not export its enum. */
const INDEX = 0
const NAME = 1

/** Returns the code that tests a name by a pattern. */
function matches({ gen }: KeywordCxt, pattern: string, name: Name): Code {
  return _`${gen.scopeValue('pattern', { ref: createPattern(pattern) })}.test(${name})`
}

/** Creates the function that generates the code of a loop: it validates one member. Without a subschema, the member is an error. */
function createMemberCode(cxt: KeywordCxt) {
  const { gen } = cxt
  const invalidCount = gen.let('invalidCount', 0)
  return (subschema: Parameters<KeywordCxt['subschema']>[0] | undefined) => {
    const isValid = gen.name('isValid')
    if (subschema === undefined) cxt.error()
    else cxt.subschema(subschema, isValid)
    const isInvalid = subschema === undefined ? _`true` : _`!${isValid}`
    gen.if(_`${isInvalid} && ++${invalidCount} > ${MAX_LISTED}`, () => gen.break())
  }
}
