/** Values for requests: those that are valid by their schema, and those that are not. The validation of the layer decides. */
import type { OpenApi, Schema } from '../document/model.ts'
import { createScalarParser } from '../request/styles.ts'
import { createSchemaCompiler, type SchemaOptions, type Validate, type Validated } from '../schema/compiler.ts'
import { stringifyExactly } from '../shared/json.ts'
import { parseJson } from '../shared/parse-json.ts'
import { listMistakes } from './mistakes.ts'
import type { Arbitrary, Fc } from './scalars.ts'
import { createValueMaker } from './values.ts'

/** The most mistakes that are made of a schema. */
const MAX_MISTAKES = 300
/** Of so many portions of so many candidates, one candidate must pass a test: the first portion of most candidates has one. */
const [PORTIONS, PORTION_SIZE] = [20, 5]

type ValueTest = (value: unknown) => boolean

/** Makes values of schemas. `canSend` is true for the values that have a text. */
export interface RequestValues {
  /** Returns values that are valid, without `readOnly` members; undefined if none is found. */
  valid(schema: Schema, canSend?: ValueTest): Arbitrary | undefined
  /** Returns values that are not valid: for each mistake that can be made, those that have it. */
  invalid(schema: Schema): readonly Arbitrary[]
  /** Returns scalars, or lists of scalars, that are not valid when their texts have been parsed. */
  invalidText(schema: Schema, canSend: ValueTest): readonly Arbitrary[]
}

/** Creates the values for the schemas of a document. */
export function createRequestValues(fc: Fc, root: OpenApi, formats: SchemaOptions['formats']): RequestValues {
  const compile = createSchemaCompiler(root, { formats })
  const { views } = compile
  const maker = createValueMaker(fc, views)

  /** Creates the function that validates what a request with a value has: its JSON text may round a number. */
  function createValidate(schema: Schema): Validate {
    const validate = compile(schema, 'request')
    return (value) => validate(parseJson(Buffer.from(stringifyExactly(value))))
  }

  /** Keeps the values that pass a test; undefined if none is found. A filter that no value passes runs for ever. */
  function keep(candidates: Arbitrary, test: ValueTest): Arbitrary | undefined {
    const hasPassing = (seed: number) => fc.sample(candidates, { numRuns: PORTION_SIZE, seed }).some(test)
    return Array.from({ length: PORTIONS }, (_each, index) => index).some(hasPassing)
      ? candidates.filter(test)
      : undefined
  }

  function keepMistakes(schema: Schema, test: ValueTest): Arbitrary[] {
    const mistakes = listMistakes(maker, views.get(schema)).take(MAX_MISTAKES)
    return [...mistakes].flatMap((candidates) => keep(candidates, test) ?? [])
  }

  return {
    valid(schema, canSend = () => true) {
      const validate = createValidate(schema)
      return keep(maker.make(views.get(schema), 0), (value) => canSend(value) && isValid(validate(value)))
    },

    invalid(schema) {
      const validate = createValidate(schema)
      return keepMistakes(schema, (value) => isInvalid(validate(value)))
    },

    invalidText(schema, canSend) {
      const view = views.get(schema)
      const { mentionedTypes } = view
      const isList = mentionedTypes.includes('array')
      // Another list or object may be parsed from any text.
      if (mentionedTypes.length === 0 || mentionedTypes.includes('object') || (isList && mentionedTypes.length > 1))
        return []
      const validate = createValidate(schema)
      const parseScalar = createScalarParser(isList ? view.item(0) : view, compile)
      const parse = (value: unknown) =>
        Array.isArray(value) ? value.map((item) => parseScalar(String(item))) : parseScalar(String(value))
      const isSendable = (value: unknown) => value !== null && Array.isArray(value) === isList && canSend(value)
      return keepMistakes(schema, (value) => isSendable(value) && isInvalid(validate(parse(value))))
    },
  }
}

function isValid(validated: Validated): boolean {
  return 'value' in validated
}

/** True for a value that no app may accept: the layer alone rejects an integer of more than 53 bits where the schema allows it. */
function isInvalid(validated: Validated): boolean {
  return 'errors' in validated && validated.errors.some(({ params }) => params.format !== 'double-int')
}
