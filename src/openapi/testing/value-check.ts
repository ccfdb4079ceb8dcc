/** Checks the values that responses have, by the schemas of a document as the layer reads them. */
import type { OpenApi, Schema } from '../document/model.ts'
import { memoize } from '../document/values.ts'
import { createScalarParser } from '../request/text-values.ts'
import { createSchemaCompiler, type SchemaOptions } from '../schema/compiler.ts'
import { formatMember, formatViolations } from '../schema/messages.ts'
import type { SchemaView } from '../schema/view.ts'

export interface ValueCheckOptions extends Pick<SchemaOptions, 'formats'> {
  /** True if objects may have members that their schemas do not declare. */
  readonly undeclaredMembers?: boolean
}

/** Returns the violations of a value, each with its place: `body.name is required`. */
type FindViolations<Value> = (schema: Schema, value: Value, place: string) => readonly string[]

export interface ValueCheck {
  /** Finds the violations of a JSON value. */
  readonly findViolations: FindViolations<unknown>
  /** Finds the violations of a value that is sent as a text. */
  readonly findTextViolations: FindViolations<string>
  /** True if a schema may describe bytes. */
  isBytes(schema: Schema): boolean
}

/** Creates the check of values by the schemas of a document. */
export function createValueCheck(root: OpenApi, { formats, undeclaredMembers = false }: ValueCheckOptions): ValueCheck {
  const compile = createSchemaCompiler(root, { formats })
  const { views } = compile
  const getSelect = memoize((view: SchemaView) => views.createSelect(view, 'response'))

  /** Finds the members that no schema of their object declares, and the members that are `writeOnly`. */
  function* findUnexpectedMembers(view: SchemaView, value: unknown, place: string): Iterable<string> {
    if (typeof value !== 'object' || value === null) return
    // If the value satisfies no branch, allow the members of all: the violation of the union is reported anyway.
    const selectedView = getSelect(view)(value) ?? view
    // An object whose schemas declare no members may have any.
    const isClosed = !undeclaredMembers && (selectedView.propertyNames.size > 0 || selectedView.hasPatterns)
    for (const [name, member] of Object.entries(value)) {
      const memberPlace = formatMember(place, name)
      if (Array.isArray(value)) yield* findUnexpectedMembers(selectedView.item(Number(name)), member, memberPlace)
      else if (selectedView.isPropertyHidden(name, 'response'))
        yield `${memberPlace} is writeOnly, and must not be sent`
      else if (isClosed && !selectedView.declares(name) && !selectedView.mentionedNames.has(name))
        yield `${memberPlace} is not declared`
      else yield* findUnexpectedMembers(selectedView.property(name), member, memberPlace)
    }
  }

  const findViolations: FindViolations<unknown> = (schema, value, place) => [
    ...formatViolations(place, compile(schema, 'response')(value)),
    ...findUnexpectedMembers(views.get(schema), value, place),
  ]

  return {
    findViolations,
    findTextViolations: (schema, text, place) =>
      findViolations(schema, createScalarParser(views.get(schema), compile)(text), place),
    isBytes: (schema) => views.get(schema).mayBeBytes,
  }
}
