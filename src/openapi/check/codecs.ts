/** Checks the codecs of an app: its content type parsers and serializers. */
import { type Codecs, findParsableTypes, findSerializableTypes, isParsedByApp } from '../document/codecs.ts'
import { getEssence, isRange } from '../document/content.ts'
import type { Operation } from '../document/operations.ts'
import type { Problem } from '../document/problems.ts'

/** Finds codecs without a body, and operations that cannot have one; `operations` have the marks of `markCodecs`. */
export function* checkCodecs(operations: readonly Operation[], codecs: Codecs): Iterable<Problem> {
  const advice = 'name another one, in lower case and without parameters, or remove it'
  for (const type of new Set(codecs.parsers).difference(findParsableTypes(operations))) {
    const what = `no request body has the media type "${type}", or the layer needs no content type parser for it`
    yield { pointer: '/paths', message: `${what}; ${advice}` }
  }
  for (const type of new Set(codecs.serializers).difference(findSerializableTypes(operations))) {
    const what = `no response has the media type "${type}", or the layer needs no serializer for it`
    yield { pointer: '/paths', message: `${what}; ${advice}` }
  }
  for (const operation of operations.filter(isParsedByApp)) yield* checkOtherContent(operation, codecs)
}

/** Finds other media types of a body with a content type parser that Fastify would give the parser in place of the layer. */
function* checkOtherContent({ pointer, requestBody }: Operation, { parsers }: Codecs): Iterable<Problem> {
  const what = 'a content type parser of the app reads another media type of this body'
  const toProblem = (problem: string) => ({ pointer: `${pointer}/requestBody`, message: `${what}, and ${problem}` })
  for (const { type, hasCodec } of requestBody?.content ?? []) {
    if (isRange(type)) {
      yield toProblem(`could read some of ${type}; name the media types in place of the range`)
    } else if (!hasCodec && parsers.includes(getEssence(type))) {
      yield toProblem(`would read the stream of ${type}; stream it in an operation of its own`)
    }
  }
}

/** The codecs of an app, and where it adds them. */
const CODEC_KINDS = [
  { kind: 'parsers', codec: 'a content type parser', place: 'before the plugin' },
  { kind: 'serializers', codec: 'a serializer', place: 'to the option serializers' },
] as const

/** Finds the media types whose bodies are values for the app, and texts or bytes for the generated types, or the reverse. */
export function* checkGeneratedCodecs(codecs: Codecs, generated: Codecs): Iterable<Problem> {
  const options = CODEC_KINDS.flatMap(({ kind }) => (codecs[kind].length > 0 ? `--${kind} ${codecs[kind]}` : []))
  const generate = `generate them ${options.length > 0 ? `with ${options.join(' ')}` : 'again'}`
  for (const { kind, codec, place } of CODEC_KINDS) {
    for (const type of new Set(codecs[kind]).symmetricDifference(new Set(generated[kind]))) {
      const message = codecs[kind].includes(type)
        ? `the app has ${codec} for ${type}, and the generated types do not know of it; ${generate}`
        : `the generated types are for an app with ${codec} for ${type}; add it ${place}, or ${generate}`
      yield { pointer: '/paths', message }
    }
  }
}
