/** Bodies that a serializer of the app writes, in a media type such as `application/xml`. */
import { type Content, getEssence } from '../document/content.ts'
import { getOwn } from '../document/values.ts'
import type { SchemaViews } from '../schema/selection.ts'
import { describeType } from '../shared/errors.ts'
import { createCopyCompiler } from './serializer.ts'

/** Serializers of the app, by media types in lower case and without parameters. */
export type AppSerializers = Readonly<Record<string, (value: unknown) => string | Uint8Array>>

/** Writes a body. Throws if the body has not the type of its schema, or if the serializer returns neither text nor bytes. */
export type Encoder = (body: unknown) => string | Buffer

/** Compiles the encoder of a media type; undefined unless a serializer of the app writes its bodies. */
export type CompileEncoder = (content: Content) => Encoder | undefined

/** Creates the compiler of encoders. A serializer receives the members that a body of JSON would have, and an int64 as it is. */
export function createEncoderCompiler(views: SchemaViews, serializers: AppSerializers): CompileEncoder {
  const compileCopy = createCopyCompiler(views, (scalar) => scalar)
  return ({ type, schema, hasCodec }) => {
    const serialize = hasCodec ? getOwn(serializers, getEssence(type)) : undefined
    if (serialize === undefined) return undefined
    const copy = compileCopy(schema, 'body')
    return (body) => {
      const encoded: unknown = serialize(copy(body))
      if (typeof encoded === 'string') return encoded
      // Fastify sends no other bytes than a Buffer.
      if (encoded instanceof Uint8Array) return Buffer.from(encoded.buffer, encoded.byteOffset, encoded.byteLength)
      const what = `the serializer of ${type} must return a text or bytes, but returned a value of type`
      throw new Error(`invalid response: ${what} ${describeType(encoded)}`)
    }
  }
}
