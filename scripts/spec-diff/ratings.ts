/**
 * The ratings of changes by this project, where they differ from the ones of redocly, which does not know extensions, and takes
 * what does not break its rules for a patch.
 */
import type { OpenApiDocument } from 'fastify-openapi-first'
import {
  allowsAnonymous,
  type Direction,
  getReferences,
  getValueAt,
  parsePointer,
  type Schema,
  toObject,
  toPattern,
  toPointer,
  type Values,
} from 'fastify-openapi-first/tools'
import { BUMPS, type Bump, type Change, IN_RESPONSE } from './changes.ts'

export interface Rating {
  readonly bump: Bump
  readonly reasons: readonly string[]
}

interface Row {
  /** Matches objects that are added or removed, such as `RequestBody`, or members with another value: `Header.required`. */
  readonly on: RegExp
  /** True for the changes that the row is about; by default for all. */
  readonly when?: (context: Context) => boolean
  readonly reason: string
}

/** What a change means, which follows from both documents. */
interface Context {
  /** The values before and after the change, if there are any. */
  readonly before: unknown
  readonly after: unknown
  readonly path: string
  /** True if the change is in messages of the direction. */
  isSent(direction: Direction): boolean
  /** True if the schema that changes is that of a required property. */
  isRequired(): boolean
  /** True if a value may satisfy the branch of `oneOf` in which the change is and another branch. */
  mayOverlap(): boolean
  /** True if requests without credentials are accepted in the document before, or after. */
  readonly isOpen: { readonly before: boolean; readonly after: boolean }
}

/** The objects and members that say which media types the files of a form may have. */
const ENCODING = /^Encoding(Map|\.contentType)?$/
/** All changes but those of documentation. */
const VALIDATING =
  /^(?!Schema\.(title|description|examples?|externalDocs|deprecated|\$comment|x-)|Example|ExternalDocs|Xml)/

/** The date (RFC 3339, full-date) at which sunsets are past or to come. */
const today = new Date().toISOString().slice(0, 10)

/** Of the rows for a change, the largest part of the version counts. A change that breaks a rule of redocly needs no row. */
const table: Readonly<Record<Bump, readonly Row[]>> = {
  major: [
    { on: /^Schema\.default$/, reason: 'What leaves it out has another meaning.' },
    { on: /^ServerVariable\.default$/, reason: 'Clients have the URL with the value before.' },
    {
      on: /^SecurityRequirementList$/,
      when: ({ after, isOpen, path }) => after === undefined && path !== '#/security' && !isOpen.after,
      reason: 'The security of the whole document applies instead.',
    },
    {
      on: /^RequestBody$/,
      when: ({ after }) => toObject(after).required === true,
      reason: 'Requests without a body are rejected.',
    },
    {
      on: /^RequestBody\.x-max-(bytes|depth)$/,
      when: ({ before = Infinity, after = Infinity }) => Number(after) < Number(before),
      reason: 'Bodies that are accepted until now are rejected.',
    },
    {
      on: /^Parameter\.x-idempotency-ttl-seconds$/,
      when: ({ before = 0, after = 0 }) => Number(after) < Number(before),
      reason: 'Requests that are repeated later are carried out again.',
    },
    { on: /^Header\.required$/, when: ({ after }) => after !== true, reason: 'Responses may lack what clients read.' },
    {
      on: /^Schema\.x-extensible-enum$/,
      when: ({ before, after }) => subtract(before, after).length > 0,
      reason: 'Clients that look for one of the values do not find it.',
    },
    {
      on: /^Operation\.x-stability-level$/,
      when: ({ before, after }) => getLevel(after) < getLevel(before),
      reason: 'Later minor versions may break clients.',
    },
    {
      on: /^Operation\.x-sunset$/,
      when: ({ before, after }) => (before === undefined ? String(after) <= today : String(after) < String(before)),
      reason: 'Clients have less time than they were told, or none.',
    },
    {
      on: /^Schema\.readOnly$/,
      when: ({ after, isSent }) => after === true && isSent('request'),
      reason: 'Requests that have it are rejected.',
    },
    {
      on: /^Schema\.readOnly$/,
      when: ({ after, isRequired, isSent }) => after !== true && isSent('request') && isRequired(),
      reason: 'Requests that lack it are rejected.',
    },
    {
      on: /^Schema\.writeOnly$/,
      when: ({ after, isSent }) => after === true && isSent('response'),
      reason: 'Responses do not have it any more.',
    },
    {
      on: ENCODING,
      when: ({ before, after, path }) => path.includes('/requestBody/') && isNarrower(before, after),
      reason: 'Files of other types are rejected.',
    },
    {
      on: VALIDATING,
      when: ({ isSent, mayOverlap }) => isSent('request') && mayOverlap(),
      reason: 'Values that also match another branch of the oneOf are rejected.',
    },
  ],
  minor: [
    {
      on: /^SecurityRequirement(List)?$/,
      when: ({ isOpen }) => isOpen.after && !isOpen.before,
      reason: 'Requests without credentials are accepted.',
    },
    {
      on: /^SecurityRequirement\./,
      when: ({ before, after }) => subtract(before, after).length > 0,
      reason: 'Clients with fewer scopes are accepted.',
    },
    {
      on: ENCODING,
      when: ({ before, after, path }) => path.includes('/requestBody/') && isNarrower(after, before),
      reason: 'Files of more types are accepted.',
    },
    {
      on: /^Schema\.readOnly$/,
      when: ({ after, isSent }) => after !== true && isSent('request'),
      reason: 'Clients may send it.',
    },
    {
      on: /^Schema\.writeOnly$/,
      when: ({ after, isSent }) => after !== true && isSent('response'),
      reason: 'Responses have it, too.',
    },
    {
      on: /^Schema\.x-extensible-enum$/,
      when: ({ before, after }) => before !== undefined && subtract(after, before).length > 0,
      reason: 'Clients must expect values that they do not know.',
    },
    { on: /\.deprecated$/, when: ({ after }) => after === true, reason: 'Clients should stop using it.' },
    { on: /^Operation\.x-sunset$/, when: ({ before }) => before === undefined, reason: 'Clients must stop using it.' },
    {
      on: /\.(required|x-max-bytes|x-max-depth|x-idempotency-ttl-seconds|x-stability-level)$/,
      reason: 'Clients may send or rely on more than before.',
    },
    {
      on: /^Schema\.(?!title|description|examples?|externalDocs|xml|deprecated|readOnly|writeOnly|\$comment|x-)/,
      reason: 'Clients may send or rely on more than before.',
    },
  ],
  patch: [
    { on: /^(Tag|TagList|Contact|License|ExternalDocs|Example|ExamplesMap)$/, reason: 'It is documentation.' },
    {
      on: /^(Header\.key|Parameter\.name)$/,
      when: ({ before, after }) => String(before).toLowerCase() === String(after).toLowerCase(),
      reason: 'Names of headers ignore case.',
    },
    {
      on: /^Schema\.(readOnly|writeOnly)$/,
      reason: 'No message has another value.',
    },
  ],
}

/** Creates the function that rates the changes from the values of a document to another document. */
export function createRating(base: unknown, document: OpenApiDocument): (change: Change) => Rating {
  const createContext = createContexts(base, document)

  function rateAnywhere(change: Change): Rating {
    const { kind, typeName, path, property, impact, verdicts } = change
    const name = kind === 'modified' ? `${typeName}.${property}` : typeName
    const context = createContext(change)
    // What nothing uses does not concern clients.
    const isRedoclys = verdicts.length > 0 || path.startsWith('#/components/')
    for (const bump of isRedoclys ? [] : BUMPS.toReversed()) {
      const row = table[bump].find(({ on, when }) => on.test(name) && when?.(context) !== false)
      if (row !== undefined) return { bump, reasons: [row.reason] }
    }
    return { bump: impact, reasons: verdicts.map(({ message }) => message) }
  }

  return (change) => {
    const rating = rateAnywhere(change)
    if (rating.bump !== 'major' || !isWithinUnstable(change, base)) return rating
    const reason = 'A minor version may do that: the operation is not stable, or its sunset is past.'
    return { bump: 'minor', reasons: [...rating.reasons, reason] }
  }
}

/** Creates the function that finds the context of a change. */
function createContexts(base: unknown, { root, compile }: OpenApiDocument): (change: Change) => Context {
  /** Returns the value at a path of the document, which leads through references. */
  const follow = (path: readonly string[]) =>
    path.reduce((value: Values, token) => {
      return toObject((token in value ? value : getReferences(root).resolve<Values>(value))[token])
    }, toObject(root))
  const isOverlapping = (schema: Schema) => {
    const { getBranchings, getDispatch } = compile.views
    const branchings = getBranchings(schema).filter(({ keyword }) => keyword === 'oneOf')
    return branchings.some((branching) => getDispatch(branching, []) === undefined)
  }

  return ({ path, base: sideBefore, revision }) => {
    const tokens = parsePointer(path)
    return {
      before: sideBefore?.value,
      after: revision?.value,
      path,
      isSent: (direction) => (direction === 'response') === IN_RESPONSE.test(path),
      isRequired() {
        const { required } = getReferences(root).resolve<Schema>(follow(tokens.slice(0, -2)))
        return required?.includes(String(tokens.at(-1))) === true
      },
      mayOverlap: () =>
        tokens.some((token, index) => {
          const isBranch = token === 'oneOf' && index < tokens.length - 1
          return isBranch && isOverlapping(getReferences(root).resolve<Schema>(follow(tokens.slice(0, index))))
        }),
      isOpen: { before: isOpen(base, tokens), after: isOpen(root, tokens) },
    }
  }
}

/** True if the security requirements at a path, of an operation or of the document, accept requests without credentials. */
function isOpen(root: unknown, [section, path, method]: readonly string[]): boolean {
  const operation = section === 'paths' ? toObject(getValueAt(root, toPointer('paths', `${path}`, `${method}`))) : {}
  const security = operation.security ?? toObject(root).security ?? []
  return allowsAnonymous(Object.values(toObject(security)).map((alternative) => Object.keys(toObject(alternative))))
}

/** True if a list of media types, or those in an object, lacks some of another one. Without media types, all are allowed. */
function isNarrower(before: unknown, after: unknown): boolean {
  const [typesBefore, typesAfter] = [before, after].map(getMediaTypes) as [string[], string[]]
  const isAllowed = (type: string) => typesAfter.some((range) => toPattern(range).test(type))
  return typesAfter.length > 0 && (typesBefore.length === 0 || !typesBefore.every(isAllowed))
}

function getMediaTypes(value: unknown): string[] {
  if (typeof value === 'string') return value.split(',').map((type) => type.trim())
  return Object.values(toObject(value)).flatMap(getMediaTypes)
}

/**
 * True if a change is within operations that may break clients with a minor version. A component may be used by others, too,
 * so a change of one is not.
 */
function isWithinUnstable({ base, revision }: Change, root: unknown): boolean {
  const [section, path = '', method = ''] = parsePointer(String((base ?? revision)?.pointer))
  const item = section === 'paths' ? toObject(getValueAt(root, toPointer('paths', path))) : {}
  const operation = toObject(item[method])
  const values = 'responses' in operation ? [operation] : Object.values(item).map(toObject)
  const operations = values.filter(({ responses }) => responses !== undefined)
  const isUnstable = operations.every(({ 'x-stability-level': level, 'x-sunset': sunset }) => {
    return getLevel(level) < getLevel('stable') || (sunset !== undefined && String(sunset) <= today)
  })
  return isUnstable && operations.length > 0
}

const LEVELS = ['experimental', 'beta', 'stable']

function getLevel(level: unknown = 'stable'): number {
  return LEVELS.indexOf(String(level))
}

/** Returns the values of a list that another one lacks; each may be absent. */
function subtract(list: unknown = [], other: unknown = []): unknown[] {
  return [list].flat().filter((value) => ![other].flat().includes(value))
}
