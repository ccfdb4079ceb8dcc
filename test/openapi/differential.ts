/**
 * Compares the schemas of this checkout with those of another one over random documents
 * and the cases of `unions.yaml`:
 *
 *     git worktree add /tmp/before COMMIT && ln -s "$PWD/node_modules" /tmp/before/
 *     node test/openapi/differential.ts /tmp/before [RUNS] [SEED]
 *
 * Prints how often they differ, by kind, and the first two examples of each kind. No test runs it: the other checkout is
 * the last commit before a change that should not change what the layer does.
 */
import { join, resolve } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import type { OpenApi } from '../../src/openapi/document/model.ts'
import { readYaml } from '../helpers/yaml.ts'
import { type Features, schemaCases } from './random-schemas.ts'
import type { Direction, Schemas } from './reference.ts'

type Compiler = typeof import('../../src/openapi/schema/compiler.ts')
type Serializers = typeof import('../../src/openapi/response/serializer.ts')
type Violations = typeof import('../../src/openapi/schema/messages.ts')

/** The schemas of a document in one of the checkouts. */
interface Side {
  /** Returns what a handler receives, or the messages of a 400. */
  validate(value: unknown, direction: Direction): { readonly value: unknown } | { readonly messages: readonly string[] }
  serialize(value: unknown): string
}

type CreateSide = (schemas: Schemas) => Side

/** Loads a checkout. An interface that differs between the checkouts is adapted here. */
async function loadCheckout(folder: string): Promise<CreateSide> {
  const load = async <Module>(file: string): Promise<Module> => await import(join(folder, 'src/openapi', file))
  const { createSchemaCompiler } = await load<Compiler>('schema/compiler.ts')
  const { createSerializerCompiler } = await load<Serializers>('response/serializer.ts')
  const { formatViolations } = await load<Violations>('schema/messages.ts')
  return (schemas) => {
    const root: OpenApi = { openapi: '3.1.0', info: { title: '', version: '' }, paths: {}, components: { schemas } }
    const schema = { $ref: '#/components/schemas/Root' }
    const compile = createSchemaCompiler(root)
    // Before there were views, it took the document and the compiler.
    const createCompiler = createSerializerCompiler as (
      ...args: unknown[]
    ) => ReturnType<typeof createSerializerCompiler>
    const serialize = createCompiler(compile.views ?? root, compile)(schema)
    return {
      validate(value, direction) {
        const validated = compile(schema, direction)(structuredClone(value))
        return 'value' in validated ? validated : { messages: formatViolations('body', validated) }
      },
      serialize,
    }
  }
}

const UNIONS = join(import.meta.dirname, 'unions.yaml')

interface UnionCase {
  readonly title: string
  readonly schemas: Schemas
  readonly received?: readonly { readonly value: unknown }[]
  readonly sent?: readonly { readonly body: unknown }[]
}

const KINDS: Readonly<Record<string, Features>> = {
  plain: {},
  branches: { branches: true },
  unevaluated: { branches: true, unevaluated: true },
  directions: { branches: true, directions: true },
  bigints: { branches: true, bigints: true },
  all: { branches: true, unevaluated: true, directions: true, bigints: true },
}

const counts = { documents: 0, values: 0, valid: 0 }
const differences = new Map<string, number>()

function show(value: unknown): string {
  return String(JSON.stringify(value, (_name, inner) => (typeof inner === 'bigint' ? `${inner}n` : inner)))
}

function report(kind: string, schemas: Schemas, value: unknown, before: unknown, after: unknown): void {
  const number = (differences.get(kind) ?? 0) + 1
  differences.set(kind, number)
  if (number > 2) return
  console.log(`${kind}\n  value   ${show(value)}\n  schemas ${show(schemas)}`)
  console.log(`  before  ${show(before)}\n  after   ${show(after)}\n`)
}

function attempt<Result>(run: () => Result): Result | { readonly thrown: string } {
  try {
    return run()
  } catch (error) {
    return { thrown: error instanceof Error ? error.message : String(error) }
  }
}

/** Says in which way two validations differ; undefined if they do not. */
function compareValidations(before: object, after: object): string | undefined {
  if ('thrown' in before) return 'thrown' in after ? undefined : 'validation no longer throws'
  if ('thrown' in after) return 'validation throws'
  if ('value' in before && 'value' in after) return isDeepStrictEqual(before, after) ? undefined : 'converted otherwise'
  if ('value' in before) return 'no longer valid'
  if ('value' in after) return 'now valid'
  return isDeepStrictEqual(before, after) ? undefined : 'other messages'
}

/** Says in which way two serializations differ; undefined if they do not. */
function compareTexts(before: string | object, after: string | object): string | undefined {
  if (typeof before === 'string' && typeof after === 'string')
    return before === after ? undefined : compareSent(before, after)
  if (typeof before === 'string') return 'no longer sent'
  if (typeof after === 'string') return 'now sent'
  return isDeepStrictEqual(before, after) ? undefined : 'not sent with another message'
}

function compareSent(before: string, after: string): string {
  if (after.length > before.length) return 'MORE IS SENT'
  return after.length < before.length ? 'less is sent' : 'sent otherwise'
}

function compare(kind: string, sides: readonly [CreateSide, CreateSide], schemas: Schemas, values: readonly unknown[]) {
  counts.documents++
  const [before, after] = sides.map((createSide) => attempt(() => createSide(schemas))) as [Side, Side]
  if ('thrown' in before || 'thrown' in after) {
    if (!('thrown' in before && 'thrown' in after)) report(`${kind}: compilation throws`, schemas, [], before, after)
    return
  }
  for (const value of values) {
    counts.values++
    for (const direction of [undefined, 'request', 'response'] as const) {
      const results = [before, after].map((side) => attempt(() => side.validate(value, direction))) as [object, object]
      if ('value' in results[0]) counts.valid++
      const difference = compareValidations(...results)
      if (difference !== undefined)
        report(`${kind}, ${direction ?? 'no direction'}: ${difference}`, schemas, value, ...results)
    }
    const texts = [before, after].map((side) => attempt(() => side.serialize(value))) as [
      string | object,
      string | object,
    ]
    const difference = compareTexts(...texts)
    if (difference !== undefined) report(`${kind}: ${difference}`, schemas, value, ...texts)
  }
}

const [folder, runs = '500', seed = '1'] = process.argv.slice(2)
if (folder === undefined) throw new Error('usage: node test/openapi/differential.ts FOLDER [RUNS] [SEED]')
const sides = [await loadCheckout(resolve(folder)), await loadCheckout(join(import.meta.dirname, '../..'))] as const
for (const { title, schemas, received = [], sent = [] } of readYaml<readonly UnionCase[]>(UNIONS)) {
  compare(title, sides, schemas, [...received.map(({ value }) => value), ...sent.map(({ body }) => body)])
}
for (const [kind, features] of Object.entries(KINDS)) {
  const cases = fc.sample(schemaCases(features), { numRuns: Number(runs), seed: Number(seed) })
  for (const { schemas, values } of cases) compare(kind, sides, schemas, values)
}
console.log(counts)
console.log(differences.size === 0 ? 'no difference' : Object.fromEntries([...differences].sort()))
