/**
 * JSON pointers (RFC 6901).
 */
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import t from 'tap'
import { parsePointer, toPointer } from '../../../src/openapi/document/references.ts'
import { holds } from '../properties.ts'

t.test('tokens are escaped', async (t) => {
  for (const [tokens, pointer] of [
    [[], ''],
    [[''], '/'],
    [['paths', '/pets/{petId}', 'get'], '/paths/~1pets~1{petId}/get'],
    [['a~b', '~1', '~0', 0], '/a~0b/~01/~00/0'],
  ] as const) {
    t.equal(toPointer(...tokens), pointer)
    t.strictSame(parsePointer(pointer), tokens.map(String))
  }
})

t.test('the tokens of a pointer are those that it was made of', async (t) => {
  const tokens = fc.array(fc.oneof(fc.string(), fc.constantFrom('~', '/', '~1', '~01')))
  holds(t, tokens, (given) => isDeepStrictEqual(parsePointer(toPointer(...given)), given))
})
