/**
 * The types of schemas as handlers use them: defaults filled in, extensible enums limited to the listed values.
 */
import { astToString, type SchemaObject } from 'openapi-typescript'
import ts from 'typescript'
import {
  getDefault,
  getTypeName,
  mapSchema,
  mapValues,
  type OpenApi,
  readOperations,
  type Schema,
} from '../../src/openapi/index.ts'
import { mapObjects, toBigint, transform } from './client.ts'

/** The types of a document's schemas. */
export interface SchemaTypes {
  /** The declarations of the named schemas. */
  readonly declarations: string
  /** The expression of the type of a schema in the document. */
  toType(schema: Schema): string
}

/** Generates the types of the named schemas, and of others that are `inline` in the document. */
export function generateSchemaTypes(root: OpenApi, inline: readonly Schema[]): SchemaTypes {
  const named = root.components?.schemas ?? {}
  const names = nameTypes(root, Object.keys(named))
  const nodes = transformSchemas(root, {
    ...named,
    ...Object.fromEntries(inline.map((each, index) => [`#${index}`, each])),
  })
  const texts = printTypes(nodes, names)
  const declare = ([name, { description }]: [string, Schema]) =>
    `${formatComment(description)}export type ${names.get(name)} = ${texts.get(name)}\n`
  const helpers = nodes.filter((node) => ts.isTypeAliasDeclaration(node) && node.name.text === HELPER)
  return {
    declarations: [...Object.entries(named).map(declare), ...helpers.map((node) => astToString(node))].join('\n'),
    toType: (schema) => (texts.get(`#${inline.indexOf(schema)}`) ?? 'unknown').replaceAll(/\s*\n\s*/g, ' '),
  }
}

/** The type with which openapi-typescript requires members of other types. */
const HELPER = 'WithRequired'

/** Names the type of each schema: like the schema, unless that is no identifier, or the name of another type. */
function nameTypes(root: OpenApi, names: readonly string[]): ReadonlyMap<string, string> {
  const operations = readOperations(root).map(({ id }) => getTypeName(id))
  const others = ['Promise', 'Record', 'Caller', 'Handlers', 'Log', 'Urls', HELPER]
  const taken = new Set([...others, ...operations.flatMap((name) => [`${name}Request`, `${name}Response`])])
  const kinds = Object.keys(ts.SyntaxKind).map((kind) => kind.toLowerCase())
  const isKeyword = (name: string) => kinds.includes(`${name}keyword`)
  return new Map(
    names.map((name) => {
      let type = name.replaceAll(/^(?=\d)|[^\w]/g, '_')
      while (taken.has(type) || isKeyword(type) || (type !== name && names.includes(type))) type += '_'
      taken.add(type)
      return [name, type]
    }),
  )
}

/** Formats a description as a comment; nothing without one. */
export function formatComment(description: string | undefined, indent = ''): string {
  if (description === undefined) return ''
  const lines = description.trim().replaceAll('*/', '*\\/').split('\n')
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join('\n')}\n${indent} */\n`
}

/** Turns schemas into declarations, of which the interface `components` has the types of the schemas. */
function transformSchemas(root: OpenApi, schemas: Readonly<Record<string, Schema>>): ts.Node[] {
  const prepared = mapValues(schemas, (schema) => mapSchema(schema, (inner) => requireDefaults(root, closeEnum(inner))))
  const document = mapObjects({ ...root, paths: {}, components: { schemas: prepared } }, (object) => object)
  return transform(document, toNumeric)
}

/** Returns the text of each type, by the name of its schema. */
function printTypes(nodes: readonly ts.Node[], names: ReadonlyMap<string, string>): Map<string, string> {
  const members = findInterface(nodes, 'components').flatMap((member) =>
    ts.isPropertySignature(member) && member.type && ts.isTypeLiteralNode(member.type) ? [...member.type.members] : [],
  )
  return new Map(members.filter(isNamed).map(({ name, type }) => [name.text, printType(type, names)]))
}

type NamedMember = ts.PropertySignature & { readonly name: { readonly text: string }; readonly type: ts.TypeNode }

function isNamed(member: ts.TypeElement): member is NamedMember {
  return ts.isPropertySignature(member) && member.type !== undefined && 'text' in member.name
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

/** Named schemas refer to each other by the names of their types. */
function printType(type: ts.TypeNode, names: ReadonlyMap<string, string>): string {
  return astToString(type)
    .trim()
    .replaceAll(/components\["schemas"\]\["([\w.-]+)"\]/g, (_match, name: string) => String(names.get(name)))
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
