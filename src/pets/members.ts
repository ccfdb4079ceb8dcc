/** The members of animals in the spec, compared with those that the stores have columns for. */
import {
  COMBINATORS,
  findOperations,
  getValueAt,
  type OpenApiDocument,
  parsePointer,
  throwProblems,
  toObject,
  toPointer,
} from '../openapi/index.ts'
import { petMembers } from '../stores/rows.ts'

/**
 * Throws a DocumentError if `createPet` accepts a member that has no column: additions with it would be acknowledged, and its
 * value lost. The compiler says the same, but a service may be started without it.
 */
export function checkMembers(document: OpenApiDocument): void {
  const { root } = document

  /** Finds the pointers of the members of a body or a schema. */
  function findMembers(pointer: string): string[] {
    const { $ref, content, properties, ...schema } = toObject(getValueAt(root, pointer))
    const inner = [
      ...Object.keys(toObject(content)).map((type) => toPointer('content', type, 'schema')),
      ...COMBINATORS.flatMap((keyword) => Object.keys(toObject(schema[keyword])).map((at) => toPointer(keyword, at))),
    ]
    return [
      ...(typeof $ref === 'string' ? findMembers($ref.slice(1)) : []),
      ...inner.flatMap((path) => findMembers(pointer + path)),
      ...Object.keys(toObject(properties)).map((name) => pointer + toPointer('properties', name)),
    ]
  }

  const problems = findOperations(root)
    .filter(({ operation }) => operation.operationId === 'createPet')
    .flatMap(({ pointer }) => findMembers(pointer + toPointer('requestBody')))
    .map((pointer) => ({ pointer, name: String(parsePointer(pointer).at(-1)) }))
    .filter(({ name }) => !petMembers.includes(name))
    .map(({ pointer, name }) => ({
      pointer,
      message: `"${name}" has no column in the store; add one ("Adding a field" in docs/contributing.md), or remove it`,
    }))
  throwProblems(document, problems)
}
