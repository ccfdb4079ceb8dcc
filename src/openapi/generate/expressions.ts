/** Types of TypeScript as texts: unions, intersections, keys and comments. */

/** A type. With an operator outside of brackets, it needs parentheses as a part of another type. */
export interface Expression {
  readonly text: string
  readonly hasOperator: boolean
}

/** The type of any value. */
export const UNKNOWN = toExpression('unknown')
/** The type of no value. */
export const NEVER = toExpression('never')
/** The type of any object. */
export const ANY_OBJECT = toExpression('Record<string, unknown>')

/** Returns a type that has no operator outside of brackets. */
export function toExpression(text: string): Expression {
  return { text, hasOperator: false }
}

/** Formats a type as a part of another one. */
export function formatPart({ text, hasOperator }: Expression): string {
  return hasOperator ? `(${text})` : text
}

export function unite(types: readonly Expression[]): Expression {
  return types.some(({ text }) => text === UNKNOWN.text) ? UNKNOWN : join(types, '|', NEVER)
}

export function intersect(types: readonly Expression[]): Expression {
  return join(types, '&', UNKNOWN)
}

/** Joins the types that differ. `neutral` is the type that changes no other. */
function join(types: readonly Expression[], operator: string, neutral: Expression): Expression {
  const distinctTypes = [...new Map(types.map((type) => [type.text, type])).values()]
  const [firstType = neutral, ...otherTypes] = distinctTypes.filter(({ text }) => text !== neutral.text)
  if (otherTypes.length === 0) return firstType
  return { text: [firstType, ...otherTypes].map(formatPart).join(` ${operator} `), hasOperator: true }
}

/** Formats a description as a comment; nothing without a description. */
export function formatComment(description: string | undefined, indent = ''): string {
  if (description === undefined) return ''
  const lines = description.trim().replaceAll('*/', '*\\/').split('\n')
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join('\n')}\n${indent} */\n`
}

/** Formats the name of a member. A method `new` without quotes is a construct signature. */
export function formatKey(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) && name !== 'new' ? name : JSON.stringify(name)
}
