/** The members of request bodies, for an app that keeps each of them. */
import type { Operation } from '../document/operations.ts'
import { toPointer } from '../document/pointers.ts'
import type { OpenApiDocument } from './document.ts'

/** A member that a request body may have. */
export interface BodyMember {
  /** Undefined for all members that the schemas do not name: by `additionalProperties`, or by a pattern. */
  readonly name: string | undefined
  /** The place of its schema, or else of the body's, as a JSON pointer into the document. */
  readonly pointer: string
}

/** Finds the members that request bodies of an operation may have, in all of its media types, without `readOnly` members. */
export function findBodyMembers(document: OpenApiDocument, { pointer, requestBody }: Operation): BodyMember[] {
  const { compile, findPointer } = document
  return (requestBody?.content ?? []).flatMap(({ schema }) => {
    const view = compile.views.get(schema)
    const names = [...view.propertyNames].filter((name) => {
      return !view.property(name).unconditional.isNever && !view.isPropertyHidden(name, 'request')
    })
    const isClosed = !view.hasPatterns && view.undeclaredProperty.unconditional.isNever
    const bodyPointer = findPointer(view.schema) ?? `${pointer}/requestBody`
    const findMemberPointer = (name: string) => {
      const declaration = view.schemas.find(({ properties = {} }) => Object.hasOwn(properties, name))
      const declarationPointer = declaration && findPointer(declaration)
      return declarationPointer === undefined ? bodyPointer : declarationPointer + toPointer('properties', name)
    }
    return [
      ...names.map((name) => ({ name, pointer: findMemberPointer(name) })),
      ...(isClosed ? [] : [{ name: undefined, pointer: bodyPointer }]),
    ]
  })
}
