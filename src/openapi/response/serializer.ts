/**
 * Serializers: functions that write a body by its schema, as JSON with all digits of every int64, or by a function of the app. A body is
 * copied by `value-writers.ts`, unless `unchanged.ts` recognizes that its copy would have the same JSON.
 */
import { getEssence, type MediaType } from '../document/content.ts'
import type { Schema } from '../document/model.ts'
import { getOwn } from '../document/values.ts'
import type { SchemaViews } from '../schema/selection.ts'
import { describeType } from '../shared/errors.ts'
import { keepDigits } from '../shared/json.ts'
import { createUnchangedTestCompiler } from './unchanged.ts'
import { createWriterCompiler } from './value-writers.ts'

/**
 * Writes a body as JSON text. Throws if a required property is missing, or a value has another type than its schema, or
 * satisfies none of several alternatives. Members that no schema of an object declares are left out, unless none declares any
 * or `additionalProperties` allows them. Members have the order of the object, or the order of `properties` if it is copied.
 */
export type Serializer = (body: unknown) => string

/** Compiles the serializer of a schema; `subject` begins its messages: by default, `invalid response: body`. */
export type CompileSerializer = (schema: Schema, subject?: string) => Serializer

/** Serializers of the app, by media types in lower case and without parameters. */
export type AppSerializers = Readonly<Record<string, (value: unknown) => string | Uint8Array>>

/**
 * Compiles what writes a body by the serializer of the app. It throws if the body has not the type of its schema, or if the serializer
 * returns neither text nor bytes.
 */
export type CompileAppSerializer = (content: MediaType) => (body: unknown) => string | Buffer

const BODY = 'invalid response: body'

/** Creates the compiler of serializers. */
export function createSerializerCompiler(views: SchemaViews): CompileSerializer {
  const compileWriter = createWriterCompiler(views, keepDigits)
  const compileUnchangedTest = createUnchangedTestCompiler()
  return (schema, subject = BODY) => {
    const write = compileWriter(schema, subject)
    const isUnchanged = compileUnchangedTest(views.get(schema))
    return (body) => JSON.stringify(isUnchanged(body) ? body : write(body))
  }
}

/** Creates the compiler for the app's serializers, which receive the members that a body of JSON would have, and an int64 as it is. */
export function createAppSerializerCompiler(views: SchemaViews, serializers: AppSerializers): CompileAppSerializer {
  const compileWriter = createWriterCompiler(views, (integer) => integer)
  return ({ type, schema }) => {
    const serialize = getOwn(serializers, getEssence(type))
    const write = compileWriter(schema, BODY)
    return (body) => {
      const text: unknown = serialize?.(write(body))
      if (typeof text === 'string') return text
      // Fastify sends no other bytes than a Buffer.
      if (text instanceof Uint8Array) return Buffer.from(text.buffer, text.byteOffset, text.byteLength)
      const what = `the serializer of ${type} must return a text or bytes, but returned a value of type`
      throw new Error(`invalid response: ${what} ${describeType(text)}`)
    }
  }
}
