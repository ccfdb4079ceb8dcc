/**
 * Writes the types that follow from openapi.yaml into generated/; with --check, only says whether they are up to date.
 *
 * - openapi.d.ts: what travels; for clients. What has a default may be left out.
 * - server.d.ts: what a handler holds in its hands, when the defaults are filled in.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript'
import ts from 'typescript'
import { loadDocument } from '../src/openapi/document.ts'
import { resolve } from '../src/openapi/references.ts'

const check = process.argv.includes('--check')
const { root } = loadDocument('openapi.yaml')
const wire = mapObjects(root, inlineHeader)
const stale = [
  await update('generated/openapi.d.ts', wire),
  await update('generated/server.d.ts', mapObjects(wire, requireDefaults)),
].filter((file) => file !== undefined)

if (check && stale.length > 0) {
  console.error(`${stale.join(' and ')} do not follow from openapi.yaml any more; run: npm run generate`)
  process.exit(1)
}

/** Writes the types of a document to a file, unless checking; returns the file's name if it was out of date. */
async function update(file: string, document: unknown): Promise<string | undefined> {
  const nodes = await openapiTS(document as OpenAPI3, {
    defaultNonNullable: false,
    // A number cannot hold every int64.
    transform: (schema) =>
      schema.type === 'integer' && schema.format === 'int64'
        ? ts.factory.createKeywordTypeNode(ts.SyntaxKind.BigIntKeyword)
        : undefined,
  })
  const text = `// Written by scripts/generate.ts from openapi.yaml; not to be edited.\n${astToString(nodes)}`
  if (text === readIfThere(file)) return undefined
  if (!check) writeFileSync(file, text)
  return file
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
  if (typeof value !== 'object' || value === null) return value
  return change(Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, mapObjects(inner, change)])))
}

/** openapi-typescript takes every header behind a $ref as required; written out, it is as the header says. */
function inlineHeader(object: Values): Values {
  return String(object.$ref).startsWith('#/components/headers/') ? (resolve(root, object) as Values) : object
}

/** Parameters and properties that have a default are always there once the request has been validated. */
function requireDefaults(object: Values): Values {
  if ('in' in object && hasDefault(object.schema)) return { ...object, required: true }
  if (typeof object.properties !== 'object') return object
  const filled = Object.entries(object.properties as Values).filter(([, schema]) => hasDefault(schema))
  return { ...object, required: [...((object.required as string[]) ?? []), ...filled.map(([name]) => name)] }
}

function hasDefault(schema: unknown): boolean {
  return (resolve(root, schema as Values) as Values).default !== undefined || Object.hasOwn(schema as Values, 'default')
}
