/**
 * Writes the types that follow from OpenAPI documents; with --check, only says whether they are up to date.
 *
 *     node scripts/generate.ts [--check] [DOCUMENT FOLDER]...
 *
 * Two files for each document, in the folder named after it:
 * - openapi.d.ts: what travels; for clients. What has a default may be left out, and of an extensible enum anything may come.
 * - server.d.ts: what a handler holds in its hands, when the defaults are filled in, and the values that it may send.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import openapiTS, { astToString, type OpenAPI3, type SchemaObject } from 'openapi-typescript'
import ts from 'typescript'
import { checkDocument } from '../src/openapi/check/document.ts'
import { loadDocument, refuse } from '../src/openapi/document.ts'
import type { Components, MediaType, OpenApi, Parameter, Schema } from '../src/openapi/model.ts'
import { MEDIA_TYPE } from '../src/openapi/operations.ts'
import { resolve } from '../src/openapi/references.ts'
import { defaultOf, mapSchema, mapValues } from '../src/openapi/schemas.ts'
import { runCommand, UsageError } from './command.ts'

const usage = 'usage: node scripts/generate.ts [--check] [DOCUMENT FOLDER]...'

await runCommand(async (args) => {
  const { check, documents } = readArguments(args)
  const stale: string[] = []
  for (const [file, folder] of documents) {
    for (const { name, text } of await generate(file)) {
      const target = join(folder, name)
      if (text === readIfThere(target)) continue
      stale.push(`${target} does not follow from ${file} any more; run: npm run generate`)
      if (check) continue
      mkdirSync(folder, { recursive: true })
      writeFileSync(target, text)
    }
  }
  if (check && stale.length > 0) throw new Error(stale.join('\n'))
})

function readArguments(args: string[]): { check: boolean; documents: [string, string][] } {
  const check = args.includes('--check')
  const names = args.filter((arg) => arg !== '--check')
  if (names.length === 0 || names.length % 2 === 1 || names.some((name) => name.startsWith('-'))) {
    throw new UsageError(usage)
  }
  const documents = names.flatMap((file, index): [string, string][] => {
    return index % 2 === 0 ? [[file, names[index + 1] as string]] : []
  })
  return { check, documents }
}

/** The files that follow from a document. */
async function generate(file: string): Promise<{ name: string; text: string }[]> {
  const document = loadDocument(file)
  const { root } = document
  refuse(document, checkDocument(root))
  const wire = mapObjects(root, (object) => inlineHeader(root, object)) as Values
  const note = `// Written by scripts/generate.ts from ${file}; not to be edited.`
  return [
    { name: 'openapi.d.ts', text: `${note}\n${await typesOf(wire)}` },
    { name: 'server.d.ts', text: `${note}\n${await typesOf(requireDefaults(root, closeEnums(wire)))}` },
  ]
}

async function typesOf(document: unknown): Promise<string> {
  const nodes = await openapiTS(document as OpenAPI3, {
    defaultNonNullable: false,
    emptyObjectsUnknown: true,
    transform: bigintOf,
  })
  return astToString(nodes)
}

/** A number cannot hold every int64. */
function bigintOf({ format, type }: SchemaObject): ts.TypeNode | undefined {
  if (format !== 'int64') return undefined
  const bigint = ts.factory.createKeywordTypeNode(ts.SyntaxKind.BigIntKeyword)
  if (!Array.isArray(type) || !type.includes('null')) return bigint
  return ts.factory.createUnionTypeNode([bigint, ts.factory.createLiteralTypeNode(ts.factory.createNull())])
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

type Values = Record<string, unknown>

/** A copy of the document in which every object has gone through the function, innermost first. */
function mapObjects(value: unknown, change: (object: Values) => Values): unknown {
  if (Array.isArray(value)) return value.map((item) => mapObjects(item, change))
  // Numbers are for comments only, and the generator does not know bigint.
  if (typeof value === 'bigint') return Number(value)
  if (typeof value !== 'object' || value === null) return value
  return change(Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, mapObjects(inner, change)])))
}

/** openapi-typescript takes every header behind a $ref as required; written out, it is as the header says. */
function inlineHeader(root: OpenApi, object: Values): Values {
  return String(object.$ref).startsWith('#/components/headers/') ? (resolve(root, object) as Values) : object
}

/** Clients are to expect values that are not listed yet; the service sends none. */
function closeEnums(document: Values): Values {
  return mapObjects(document, (object) => {
    const { 'x-extensible-enum': values } = object
    return values === undefined ? object : { ...object, enum: values }
  }) as Values
}

/** Parameters and properties that have a default are always there once the request has been validated. */
function requireDefaults(root: OpenApi, document: Values): Values {
  const hasDefault = (schema: Schema) => defaultOf(root, schema) !== undefined
  const withProperties = (schema: Schema) =>
    mapSchema(schema, ({ required = [], ...rest }) => {
      const filled = Object.entries(rest.properties ?? {}).filter(([, property]) => hasDefault(property))
      return { ...rest, required: [...required, ...filled.map(([name]) => name)] }
    })
  const changed = mapObjects(document, (object) => {
    const { in: place, name, schema } = object as Partial<Parameter>
    if (place !== undefined && name !== undefined && schema !== undefined) {
      return hasDefault(schema) ? { ...object, required: true } : object
    }
    const media = object[MEDIA_TYPE] as MediaType | undefined
    return media === undefined ? object : { [MEDIA_TYPE]: { ...media, schema: withProperties(media.schema) } }
  }) as Values
  const components = changed.components as Components | undefined
  return { ...changed, components: { ...components, schemas: mapValues(components?.schemas ?? {}, withProperties) } }
}
