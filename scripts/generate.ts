/**
 * Writes the types that follow from OpenAPI documents; with --check, only says whether they are up to date.
 *
 *     node scripts/generate.ts [--check] [DOCUMENT FOLDER]...
 *
 * Two files for each document, in the folder named after it:
 * - openapi.d.ts: what travels; for clients. What has a default may be left out.
 * - server.d.ts: what a handler holds in its hands, when the defaults are filled in.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import openapiTS, { astToString, type OpenAPI3, type SchemaObject } from 'openapi-typescript'
import ts from 'typescript'
import { checkDocument } from '../src/openapi/check/document.ts'
import { DocumentError, loadDocument, refuse } from '../src/openapi/document.ts'
import type { Components, MediaType, OpenApi, Parameter, Schema } from '../src/openapi/model.ts'
import { MEDIA_TYPE } from '../src/openapi/operations.ts'
import { resolve } from '../src/openapi/references.ts'
import { defaultOf, mapSchema, mapValues } from '../src/openapi/schemas.ts'

const { values, positionals } = parseArgs({ allowPositionals: true, options: { check: { type: 'boolean' } } })

try {
  for (let index = 0; index < positionals.length; index += 2) {
    await generate(positionals[index] as string, positionals[index + 1] as string)
  }
} catch (error) {
  if (!(error instanceof DocumentError)) throw error
  console.error(error.message)
  process.exitCode = 1
}

/** Writes the types of one document, unless checking: then says which files are out of date. */
async function generate(file: string, folder: string): Promise<void> {
  const document = loadDocument(file)
  const { root } = document
  refuse(document, checkDocument(root))
  const wire = mapObjects(root, (object) => inlineHeader(root, object)) as Values
  const server = requireDefaults(root, wire)
  for (const [name, variant] of [
    ['openapi.d.ts', wire],
    ['server.d.ts', server],
  ] as const) {
    const text = `// Written by scripts/generate.ts from ${file}; not to be edited.\n${await typesOf(variant)}`
    const target = join(folder, name)
    if (text === readIfThere(target)) continue
    if (values.check) {
      console.error(`${target} does not follow from ${file} any more; run: npm run generate`)
      process.exitCode = 1
    } else {
      mkdirSync(folder, { recursive: true })
      writeFileSync(target, text)
    }
  }
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
