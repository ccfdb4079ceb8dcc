/** Puts schemas into words: the type, the limits and the members of the values that they describe. */

/** The type of a schema's values, such as `array of integers (int64)` or `object (Pet)`. */
export function describeType(schema) {
  const { title, format, items, nullable, ...keywords } = mergeAllOf(schema)
  const types = listTypes(items ? { items, ...keywords } : keywords).map((type) => {
    if (type === 'array' && items)
      return `array of ${describeType(items).replaceAll(/(^| or )(any )?\w*[^\Ws]\b/g, '$&s')}`
    const detail = type === 'object' ? title : /^(string|integer|number)$/.test(type) && format
    return detail ? `${type} (${detail})` : type
  })
  if (nullable) types.push('null')
  return [...new Set(types)].join(' or ')
}

function listTypes({ type, items, properties, additionalProperties, oneOf, anyOf, ...keywords }) {
  if (type) return [type].flat()
  if (items) return ['array']
  const branches = [...(oneOf ?? []), ...(anyOf ?? [])]
  if (branches.length > 0) return branches.map(describeType)
  if (Object.keys(properties).length > 0 || additionalProperties) return ['object']
  const values = keywords.enum ?? [keywords.const]
  return values.map(getType)
}

function getType(value) {
  if (value === undefined) return 'any value'
  if (value === null) return 'null'
  // An integer that a number does not hold is a bigint (page.js).
  if (typeof value === 'bigint') return 'number'
  return Array.isArray(value) ? 'array' : typeof value
}

/** The limits of a schema's values, and their default, as a paragraph of Markdown; empty if there are none. */
export function describeLimits(schema) {
  const merged = mergeAllOf(schema)
  const limits = listLimits(merged)
  const sentences = [
    limits.length > 0 && `**Limits:** ${limits.join(', ')}.`,
    merged.default !== undefined && `**Default:** ${writeCode(merged.default)}.`,
  ]
  return sentences.filter(Boolean).join(' ')
}

export function listLimits(schema) {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf, pattern, description } = schema
  // In OpenAPI 3.0, `true` excludes the bound itself.
  const [excludesLow, excludesHigh] = [exclusiveMinimum === true, exclusiveMaximum === true]
  const above = excludesLow ? minimum : exclusiveMinimum
  const below = excludesHigh ? maximum : exclusiveMaximum
  return [
    schema.const !== undefined && `always ${writeCode(schema.const)}`,
    schema.enum && `one of ${schema.enum.map(writeCode).join(', ')}`,
    describeRange(excludesLow ? undefined : minimum, excludesHigh ? undefined : maximum),
    above !== undefined && above !== false && `more than ${above}`,
    below !== undefined && below !== false && `less than ${below}`,
    multipleOf !== undefined && `a multiple of ${multipleOf}`,
    describeRange(schema.minLength, schema.maxLength, ' characters'),
    // A description says it in words.
    pattern !== undefined && description === undefined && `matching \`\` ${pattern} \`\``,
    describeRange(schema.minItems, schema.maxItems, ' items'),
    schema.uniqueItems && 'no item twice',
    describeRange(schema.minProperties, schema.maxProperties, ' members'),
    ...(schema.items ? listLimits(mergeAllOf(schema.items)).map((limit) => `each ${limit}`) : []),
  ].filter(Boolean)
}

function describeRange(low, high, unit = '') {
  if (low === undefined) return high !== undefined && `at most ${high}${unit}`
  return high === undefined ? `at least ${low}${unit}` : `${low} to ${high}${unit}`
}

/**
 * The members of the objects that a schema describes, or that are the items of its arrays: each with its name, its schema, and
 * whether it is required. Branches of `oneOf` and `anyOf` are listed like members.
 */
export function listMembers(schema, isResponse) {
  const { properties, required, patternProperties = {}, additionalProperties, items, ...keywords } = mergeAllOf(schema)
  const isHidden = (member) => member === false || mergeAllOf(member)[isResponse ? 'writeOnly' : 'readOnly']
  const namedMembers = Object.entries(properties).filter(([, member]) => !isHidden(member))
  const members = namedMembers.map(([name, member]) => ({ name, schema: member, isRequired: required.includes(name) }))
  for (const [pattern, member] of Object.entries(patternProperties)) {
    members.push({ note: `names matching ${pattern}`, schema: member })
  }
  if (Object.keys(additionalProperties ?? {}).length > 0) {
    members.push({ note: members.length > 0 ? 'other names' : 'any name', schema: additionalProperties })
  }
  const branches = listBranches(keywords)
  const hasDetails = (branch) => listMembers(branch, isResponse).length > 0 || describeLimits(branch) !== ''
  if (branches.length === 1) members.push(...listMembers(branches[0], isResponse))
  else if (branches.some(hasDetails)) {
    members.push(...branches.map((branch, index) => ({ note: `alternative ${index + 1}`, schema: branch })))
  }
  return items ? [...members, ...listMembers(items, isResponse)] : members
}

/** The branches that are not only `null`. */
function listBranches({ oneOf = [], anyOf = [] }) {
  return [...oneOf, ...anyOf].filter((branch) => branch.type !== 'null')
}

/** A schema with what the schemas of its `allOf` say of the same value. */
export function mergeAllOf({ allOf = [], ...schema }) {
  const merged = allOf.map(mergeAllOf)
  // With several parts, the names of the parts are not the name of the whole.
  const inherited = merged.length > 1 ? merged.map(({ title, description, ...part }) => part) : merged
  const parts = [...inherited, schema]
  const members = parts.flatMap(({ properties = {} }) => Object.entries(properties))
  const properties = Object.entries(Object.groupBy(members, ([name]) => name)).map(([name, same]) => {
    const schemas = same.map(([, member]) => member)
    return [name, schemas.length === 1 ? schemas[0] : { allOf: schemas }]
  })
  return {
    ...parts.reduce(mergeKeywords),
    required: parts.flatMap(({ required = [] }) => required),
    properties: Object.fromEntries(properties),
  }
}

/** Merges the keywords of two schemas: the narrower limit counts, and the last value of any other keyword. */
function mergeKeywords(merged, part) {
  const keywords = Object.entries(part).map(([name, value]) => {
    const isWider = /^(m|exclusiveM)in/.test(name)
      ? value < merged[name]
      : /^(m|exclusiveM)ax/.test(name) && value > merged[name]
    return [name, isWider ? merged[name] : value]
  })
  return { ...merged, ...Object.fromEntries(keywords) }
}

export const write = (value) => (typeof value === 'string' ? value : JSON.stringify(value))
const writeCode = (value) => `\`${write(value)}\``
