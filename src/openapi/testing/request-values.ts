/** Values for requests: those that are valid by their schema, and those that are not. The validation of the layer decides. */
import type { OpenApi, Schema } from '../document/model.ts'
import type { Parameter } from '../document/parameters.ts'
import { createParameterParser, isExplodedObject } from '../request/styles.ts'
import { createSchemaCompiler, type SchemaOptions, type Validated } from '../schema/compiler.ts'
import { stringifyExactly } from '../shared/json.ts'
import { parseJson } from '../shared/parse-json.ts'
import { listInvalidValues } from './invalid-values.ts'
import { canSend, writeTexts } from './parameters.ts'
import type { Arbitrary, Fc } from './scalars.ts'
import { createValueMaker } from './values.ts'

/** The most kinds of invalid values that are made of a schema. */
const MAX_INVALID_KINDS = 300
/** A value must pass a test within so many samples of so many values. They are small, because most tests pass in the first. */
const [SAMPLES, SAMPLE_SIZE] = [20, 5]

type ValueTest = (value: unknown) => boolean

/** The values of a parameter or body. */
export interface PartValues {
  /** True for a value that can be sent, and is valid. */
  readonly isValid: ValueTest
  /** Values that are valid, without `readOnly` members; undefined if none is found. */
  readonly valid: Arbitrary | undefined
  /** Values that are not valid, by kind. */
  readonly invalid: readonly Arbitrary[]
}

/** Makes the values of the parts that requests have. */
export interface RequestValues {
  ofBody(schema: Schema): PartValues
  /** Returns scalars, and lists of scalars. Other values of parameters are not made. `path` is the path of the operation. */
  ofParameter(parameter: Parameter, path: string): PartValues
}

const NO_VALUES: PartValues = { isValid: () => false, valid: undefined, invalid: [] }

/** Creates the values for the schemas of a document. */
export function createRequestValues(fc: Fc, root: OpenApi, options: SchemaOptions): RequestValues {
  const compile = createSchemaCompiler(root, options)
  const { views } = compile
  const maker = createValueMaker(fc, views)

  /** Keeps the values that pass a test; undefined if none is found. A filter that no value passes runs for ever. */
  function keep(candidates: Arbitrary, test: ValueTest): Arbitrary | undefined {
    for (let seed = 0; seed < SAMPLES; seed++)
      if (fc.sample(candidates, { numRuns: SAMPLE_SIZE, seed }).some(test)) return candidates.filter(test)
    return undefined
  }

  /** Finds the values of a schema. `validateAsReceived` returns undefined for a value that cannot be sent. */
  function findValues(schema: Schema, validateAsReceived: (value: unknown) => Validated | undefined): PartValues {
    const view = views.get(schema)
    const isValid: ValueTest = (value) => 'value' in (validateAsReceived(value) ?? {})
    const invalidKinds = listInvalidValues(maker, view).take(MAX_INVALID_KINDS)
    return {
      isValid,
      valid: keep(maker.make(view, 0).values, isValid),
      invalid: [...invalidKinds].flatMap(
        (values) => keep(values, (value) => isInvalid(validateAsReceived(value))) ?? [],
      ),
    }
  }

  return {
    ofBody(schema) {
      const validate = compile(schema, 'request')
      // The JSON text may round a number.
      return findValues(schema, (value) => validate(parseJson(Buffer.from(stringifyExactly(value)))))
    },

    ofParameter(parameter, path) {
      const { schema } = parameter
      const view = views.get(schema)
      if (parameter.isJson || isExplodedObject(parameter, view)) return NO_VALUES
      const validate = compile(schema, 'request')
      // Parses a path parameter like a query, decoding it: Fastify decodes the scalars of a path before their parser.
      const location = parameter.in === 'path' ? 'query' : parameter.in
      const parser = createParameterParser({ ...parameter, in: location }, view, compile)
      return findValues(schema, (value) => {
        const texts = canSend(parameter, path, value) ? writeTexts(parameter, value) : []
        const isSendable = texts.length === 1 || (texts.length > 1 && parser.isRepeatable)
        return isSendable ? validate(parser.parse(texts)) : undefined
      })
    },
  }
}

/** True for a value that no app may accept: the layer alone rejects an integer of more than 53 bits where the schema allows it. */
function isInvalid(validated: Validated | undefined): boolean {
  return (
    validated !== undefined &&
    'errors' in validated &&
    validated.errors.some(({ params }) => params.format !== 'double-int')
  )
}
