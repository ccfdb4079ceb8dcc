/**
 * The types of schemas as handlers use them: defaults filled in, extensible enums limited to the listed values.
 */
import { astToString, type SchemaObject } from 'openapi-typescript'
import ts from 'typescript'
import { getDefault, mapSchema, mapValues, type OpenApi, type Schema } from '../../src/openapi/index.ts'
import { mapObjects, toBigint, transform } from './client.ts'

/** The types of a document's schemas. */
export interface SchemaTypes {
  /** The declarations of the named schemas. */
  readonly declarations: string
  /** The expression of the type of a schema in the document. */
  toType(schema: Schema): string
}

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/

/** Generates the types of the named schemas, and of others that are `inline` in the document. */
export async function generateSchemaTypes(root: OpenApi, inline: readonly Schema[]): Promise<SchemaTypes> {
  const named = root.components?.schemas ?? {}
  const texts = await printTypes(root, { ...named, ...Object.fromEntries(inline.map((each, at) => [`#${at}`, each])) })
  const declare = ([name, { description }]: [string, Schema]) => {
    return IDENTIFIER.test(name) ? [`${formatComment(description)}export type ${name} = ${texts.get(name)}\n`] : []
  }
  return {
    declarations: Object.entries(named).flatMap(declare).join('\n'),
    toType: (schema) => (texts.get(`#${inline.indexOf(schema)}`) ?? 'unknown').replaceAll(/\s*\n\s*/g, ' '),
  }
}

/** Formats a description as a comment; nothing without one. */
export function formatComment(description: string | undefined, indent = ''): string {
  if (description === undefined) return ''
  const lines = description.trim().replaceAll('*/', '*\\/').split('\n')
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join('\n')}\n${indent} */\n`
}

async function printTypes(root: OpenApi, schemas: Readonly<Record<string, Schema>>): Promise<Map<string, string>> {
  const prepared = mapValues(schemas, (schema) => mapSchema(schema, (inner) => requireDefaults(root, closeEnum(inner))))
  const document = mapObjects({ ...root, paths: {}, components: { schemas: prepared } }, (object) => object)
  const nodes = await transform(document, toNumeric)
  const members = findInterface(nodes, 'components').flatMap((member) =>
    ts.isPropertySignature(member) && member.type && ts.isTypeLiteralNode(member.type) ? [...member.type.members] : [],
  )
  return new Map(
    members.flatMap((member) =>
      ts.isPropertySignature(member) && member.type && (ts.isIdentifier(member.name) || ts.isStringLiteral(member.name))
        ? [[member.name.text, printType(member.type)]]
        : [],
    ),
  )
}

/**
 * A number that may have a fraction is marked, so that code for integers can refuse it: `Integer` in src/stores/store.ts.
 * Numbers of TypeScript have no mark, and can be assigned to both.
 */
function toNumeric(schema: SchemaObject): ts.TypeNode | undefined {
  const isListed = schema.enum !== undefined || schema.const !== undefined
  return schema.type === 'number' && !isListed ? FRACTIONAL : toBigint(schema)
}

const { factory } = ts
const FRACTIONAL = factory.createIntersectionTypeNode([
  factory.createKeywordTypeNode(ts.SyntaxKind.NumberKeyword),
  ts.setEmitFlags(
    factory.createTypeLiteralNode([
      factory.createPropertySignature(
        [factory.createModifier(ts.SyntaxKind.ReadonlyKeyword)],
        'fraction',
        factory.createToken(ts.SyntaxKind.QuestionToken),
        factory.createLiteralTypeNode(factory.createTrue()),
      ),
    ]),
    ts.EmitFlags.SingleLine,
  ),
])

/** Named schemas refer to each other by their own names. */
function printType(type: ts.TypeNode): string {
  return astToString(type)
    .trim()
    .replaceAll(/components\["schemas"\]\["([A-Za-z_$][\w$]*)"\]/g, '$1')
    .replaceAll(/^(?: {4})+/gm, (indent) => indent.slice(indent.length / 2))
}

function findInterface(nodes: readonly ts.Node[], name: string): readonly ts.TypeElement[] {
  return nodes.flatMap((node) => (ts.isInterfaceDeclaration(node) && node.name.text === name ? [...node.members] : []))
}

/** Clients expect values that are not listed yet; the service sends none. */
function closeEnum(schema: Schema): Schema {
  const { 'x-extensible-enum': values } = schema
  return values === undefined ? schema : { ...schema, enum: values }
}

/** Members with a default are always there once a request is validated. */
function requireDefaults(root: OpenApi, schema: Schema): Schema {
  const { required = [], properties = {} } = schema
  const filled = Object.keys(properties).filter((name) => getDefault(root, properties[name] as Schema) !== undefined)
  return filled.length === 0 ? schema : { ...schema, required: [...required, ...filled] }
}
