/**
 * The changes that `npm run spec:diff` finds: the version that each needs, and its meaning for clients.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { type Change, compareDocuments } from '../../scripts/spec-diff/compare.ts'
import { parseFile } from '../../src/openapi/document/parse.ts'
import { temporaryFolder } from '../helpers/temporary.ts'

type Edit = readonly [text: string, replacement: string]

const file = join(import.meta.dirname, 'spec-diff.yaml')
const source = readFileSync(file, 'utf8')
const today = '2026-11-21'

// Each comparison starts a process of redocly's, whose coverage does not matter.
delete process.env.NODE_OPTIONS
t.setTimeout(150_000)

const valid = 'What clients send and read now remains valid.'
const none = 'Clients need not change.'
const body = 'x-max-bytes: 9, content: { application/json: { schema: {} } }'

/** Compares two versions of the document, as they are after these edits. */
async function compare(t: Test, edits: readonly Edit[], baseEdits: readonly Edit[] = []): Promise<Change[]> {
  const folder = temporaryFolder(t)
  const [base, revision] = [baseEdits, edits].map((each, index) => {
    const name = join(folder, `${index}.yaml`)
    writeFileSync(name, edit(each))
    return parseFile(name)
  })
  if (base === undefined || revision === undefined) throw new Error('two documents were written')
  return compareDocuments(base.root, revision, today)
}

function edit(edits: readonly Edit[]): string {
  return edits.reduce((text, [before, after]) => {
    if (!text.includes(before)) throw new Error(`the document has no ${before}`)
    return text.replace(before, () => after)
  }, source)
}

/** Expects an edit to be these changes, each written as `bump: what meaning [operations]`. */
async function expectChanges(
  t: Test,
  edits: readonly Edit[],
  expected: readonly string[],
  baseEdits?: readonly Edit[],
) {
  const changes = await compare(t, edits, baseEdits)
  t.strictSame(
    changes.map(({ bump, what, meaning, operations }) => `${bump}: ${what} ${meaning} [${operations.join(', ')}]`),
    expected,
  )
}

/** The text from one line of the document to another. */
function section(from: string, to: string): string {
  return source.slice(source.indexOf(from), source.indexOf(to))
}

t.test('the same document has no changes, however it is written', async (t) => {
  const kind = '        - { name: kind, in: query, schema: { $ref: "#/components/schemas/Kind" } }\n'
  const limit = '        - { name: limit, in: query, schema: { $ref: "#/components/schemas/Limit" } }\n'
  await expectChanges(t, [], [])
  await expectChanges(
    t,
    [
      ['type: integer, minimum: 1, maximum: 100', 'maximum: 100, minimum: 1, type: integer'],
      [limit + kind, kind + limit],
      ['code: { $ref: "#/components/schemas/Code" }', 'code: { type: string, x-extensible-enum: [invalid, unknown] }'],
      // Neither the names of security schemes nor components that nothing uses matter to clients.
      ['    Key: {', '    Token: {'],
      ['- Key: [read]\n', '- Token: [read]\n'],
      ['- Key: [read, write]', '- Token: [write, read]'],
      ['    Unused:', '    Another: { type: string }\n    Unused:'],
      ['1.4.2', '1.5.0'],
    ],
    [],
  )
})

t.test('a change is placed at its line in the new document, and a removal at the object around it', async (t) => {
  const changes = await compare(t, [
    ['info: {', '\n\ninfo: {'],
    ['maximum: 100', 'maximum: 50'],
    ['        kind: { $ref: "#/components/schemas/Kind" }\n    Unused', '    Unused'],
    [section('  /old:', 'components:'), ''],
  ])
  t.same(
    changes.map(({ place }) => place.replace(/^.*?(?=1\.yaml)/, '')),
    ['1.yaml:89:41', '1.yaml:104:7', '1.yaml:11:1'],
  )
})

t.test('narrower requests break clients', async (t) => {
  await expectChanges(
    t,
    [
      ['maximum: 100', 'maximum: 50'],
      ['{ name: kind, in: query, schema', '{ name: kind, in: query, required: true, schema'],
      [
        '        - { name: kind',
        `        - { name: page, in: query, required: true, schema: {} }\n        - { name: kind`,
      ],
      ['required: [name]', 'required: [name, size]'],
      ['minimum: 0, default: 1', 'minimum: 0, default: 1, multipleOf: 2, allOf: [{ maximum: 9 }]'],
      [
        '      responses:\n        "204": { description: Removed. }',
        `      requestBody: { required: true, ${body} }\n      responses:\n        "204": { description: Removed. }`,
      ],
    ],
    [
      'major: Required `page` query parameter was added. Requests without it are refused. [GET /things]',
      'major: `kind` query parameter became required. Requests without it are refused. [GET /things]',
      'major: DELETE /old requestBody was added. Requests without a body are refused. [DELETE /old]',
      "major: Upper bound of `Limit` changed from '<= 100' to '<= 50'. Requests that are valid until now may be refused. [GET /things]",
      'major: Properties of `NewThing` became required: `size`. Requests without them are refused. [POST /things]',
      "major: Type of `size` narrowed from 'integer | string' to 'integer'. Requests that are valid until now may be refused. [POST /things]",
      "major: `multipleOf` of `size` was set to '2'. Requests that are valid until now may be refused. [POST /things]",
      'major: `allOf` of `size` was added. Requests that are valid until now may be refused. [POST /things]',
    ],
    [['size: { type: integer,', 'size: { type: [integer, string],']],
  )
})

t.test('wider requests are compatible', async (t) => {
  await expectChanges(
    t,
    [
      ['maximum: 100', 'maximum: 200'],
      [
        '        - { name: kind',
        '        - $ref: "#/components/parameters/Page"\n        - { name: q, in: query, schema: {} }\n        - { name: kind',
      ],
      ['        required: true\n        x-max-bytes', '        x-max-bytes'],
      ['        size: {', '        colour: { type: string }\n        size: {'],
      [
        '      responses:\n        "204": { description: Removed. }',
        `      requestBody: { ${body} }\n      responses:\n        "204": { description: Removed. }`,
      ],
    ],
    [
      `minor: GET /things parameters.page was added. ${valid} [GET /things]`,
      `minor: GET /things parameters.q was added. ${valid} [GET /things]`,
      `minor: \`required\` of POST /things requestBody was removed. ${valid} [POST /things]`,
      `minor: DELETE /old requestBody was added. ${valid} [DELETE /old]`,
      `minor: \`maximum\` of Limit changed from 100 to 200. ${valid} [GET /things]`,
      `minor: NewThing.colour was added. ${valid} [POST /things]`,
    ],
  )
})

t.test('responses break clients if they have other values than before, or lack some', async (t) => {
  await expectChanges(
    t,
    [
      ['Total: { required: true,', 'Total: {'],
      ['[id, name, kind]', '[id, name]'],
      ['        kind: { $ref: "#/components/schemas/Kind" }\n    Unused', '    Unused'],
      [
        'id: { type: integer, format: int64, maximum: 9223372036854775807 }',
        'id: { type: [integer, string], format: int64 }',
      ],
      ['"204": { description: Added. }', '"201": { description: Added. }'],
    ],
    [
      'major: `required` of GET /things responses.200.headers.Total was removed. Responses may lack what clients read. [GET /things]',
      'major: Response `204` became `201`. Clients that rely on this status no longer get it. [POST /things]',
      'major: Properties of `Thing` are no longer required: `kind`. Responses may lack what clients read. [GET /things, GET /things/{id}]',
      'major: Property `kind` of `Thing` was removed. Clients that read it no longer find it. [GET /things, GET /things/{id}]',
      'major: Upper bound of `id` was removed. Responses may have values that clients do not expect. [GET /things, GET /things/{id}]',
      "major: Type of `id` widened from 'integer' to 'integer | string'. Responses may have values that clients do not expect. [GET /things, GET /things/{id}]",
    ],
  )
})

t.test('responses may have more than before', async (t) => {
  await expectChanges(
    t,
    [
      ['            Total: {', '            Page: { schema: { type: integer } }\n            Total: {'],
      [
        '        "204": { description: Added. }\n',
        '        "204": { description: Added. }\n        "409": { description: There is one. }\n',
      ],
      ['    Unused', '        size: { type: integer }\n    Unused'],
    ],
    [
      `minor: GET /things responses.200.headers.Page was added. ${valid} [GET /things]`,
      `minor: \`required\` of GET /things responses.200.headers.Total was set to true. ${valid} [GET /things]`,
      `minor: POST /things responses.409 was added. ${valid} [POST /things]`,
      `minor: Thing.size was added. ${valid} [GET /things, GET /things/{id}]`,
    ],
    [['Total: { required: true,', 'Total: {']],
  )
})

t.test('a schema that requests and responses share breaks clients in either direction', async (t) => {
  await expectChanges(
    t,
    [
      ['[small, large]', '[small, huge]'],
      ['maxLength: 40', 'maxLength: 80'],
    ],
    [
      "major: Enum of `Kind` lost values: 'large'. Requests with other values are refused. [GET /things, GET /things/{id}]",
      "major: Enum of `Kind` gained values: 'huge'. Responses may have values that clients do not know. [GET /things, GET /things/{id}]",
      "major: `maxLength` of `name` changed from '40' to '80'. Responses may have values that clients do not expect. [GET /things, POST /things, GET /things/{id}]",
    ],
  )
  await expectChanges(
    t,
    [['maxLength: 40', "maxLength: 20, pattern: '^[a-z]+$'"]],
    [
      "major: `maxLength` of `name` changed from '40' to '20'. Requests that are valid until now may be refused. [GET /things, POST /things, GET /things/{id}]",
      "major: `pattern` of `name` changed from '^[a-z]' to '^[a-z]+$'. Responses may have values that clients do not expect. Requests that are valid until now may be refused. [GET /things, POST /things, GET /things/{id}]",
    ],
    [['maxLength: 40', "maxLength: 40, pattern: '^[a-z]'"]],
  )
})

t.test('a default matters where clients may leave the value out', async (t) => {
  await expectChanges(
    t,
    [
      ['default: 20', 'default: 10'],
      ['minimum: 0, default: 1', 'minimum: 0'],
    ],
    [
      'major: `default` of Limit changed from 20 to 10. Requests that leave it out have another effect. [GET /things]',
      'major: `default` of NewThing.size was removed. Requests that leave it out have another effect. [POST /things]',
    ],
  )
  await expectChanges(
    t,
    [
      ['required: [name]', 'required: []'],
      [
        'name: { $ref: "#/components/schemas/Name" }\n        size',
        'name: { $ref: "#/components/schemas/Name", default: Box }\n        size',
      ],
      ['"#/components/schemas/Kind" } }', '"#/components/schemas/Kind", default: small } }'],
      ['maximum: 9223372036854775807', 'maximum: 9223372036854775807, default: 9223372036854775807'],
    ],
    [
      `minor: \`required\` of GET /things parameters.1 was removed. ${valid} [GET /things]`,
      `minor: \`required\` of NewThing changed from ["name"] to []. ${valid} [POST /things]`,
      `patch: \`default\` of GET /things parameters.1 was set to small. ${none} [GET /things]`,
      `patch: \`default\` of NewThing.name was set to Box. ${none} [POST /things]`,
      `patch: \`default\` of Thing.id was set to 9223372036854775807. ${none} [GET /things, GET /things/{id}]`,
    ],
    [['name: kind, in: query,', 'name: kind, in: query, required: true,']],
  )
})

t.test('an extensible enum may grow with a minor version', async (t) => {
  await expectChanges(
    t,
    [
      ['[invalid, unknown]', '[invalid, unknown, new]'],
      ['[late, early]', '[early]'],
      ['x-extensible-enum: [body, query]', 'enum: [query, body]'],
      ['x-extensible-enum: [kg]', 'description: Any unit.'],
      [
        'schema: { type: integer } }\n          content',
        'schema: { type: integer, x-extensible-enum: [0, 1] } }\n          content',
      ],
    ],
    [
      'major: `x-extensible-enum` of BadRequest.reason changed from ["late","early"] to ["early"]. Clients that look for "late" do not find it. [GET /things, POST /things]',
      'major: `x-extensible-enum` of BadRequest.unit was removed. Clients that look for "kg" do not find it. [GET /things, POST /things]',
      `minor: \`enum\` of BadRequest.place was set to ["query","body"]. ${valid} [GET /things, POST /things]`,
      'minor: `x-extensible-enum` of Code changed from ["invalid","unknown"] to ["invalid","unknown","new"]. Clients must expect values that they do not know; new: "new". [GET /things, POST /things]',
      `patch: \`x-extensible-enum\` of GET /things responses.200.headers.Total was set to [0,1]. ${none} [GET /things]`,
      `patch: \`x-extensible-enum\` of BadRequest.place was removed. ${none} [GET /things, POST /things]`,
      `patch: \`description\` of BadRequest.unit was edited. ${none} [GET /things, POST /things]`,
    ],
  )
})

t.test('the limits of bodies and of idempotency keys are only raised', async (t) => {
  await expectChanges(
    t,
    [
      ['x-max-bytes: 65536', 'x-max-bytes: 1024\n        x-max-depth: 5'],
      ['86400', '3600'],
    ],
    [
      'major: `x-idempotency-ttl-seconds` of POST /things parameters.0 changed from 86400 to 3600. A request that is repeated after 3600 seconds is carried out again. [POST /things]',
      'major: `x-max-bytes` of POST /things requestBody changed from 65536 to 1024. Bodies of more than 1024 bytes are refused. [POST /things]',
      'major: `x-max-depth` of POST /things requestBody was set to 5. Bodies that are nested deeper than 5 levels are refused. [POST /things]',
    ],
  )
  await expectChanges(
    t,
    [
      ['65536', '99999'],
      ['86400', '99999'],
    ],
    [
      `minor: \`x-idempotency-ttl-seconds\` of POST /things parameters.0 changed from 86400 to 99999. ${valid} [POST /things]`,
      `minor: \`x-max-bytes\` of POST /things requestBody changed from 65536 to 99999. ${valid} [POST /things]`,
    ],
  )
})

t.test('an operation is removed after its sunset, or before if it is not stable', async (t) => {
  await expectChanges(
    t,
    [
      [section('    post:', '  /things/{id}:'), ''],
      [section('  /things/{id}:', '  /things/{id}/parts:'), ''],
      [section('  /things/{id}/parts:', '  /old:'), ''],
      [section('  /old:', 'components:'), ''],
    ],
    [
      'major: GET /things/{id} was removed. Clients that use it fail; they may rely on it until its sunset 2030-06-30. [GET /things/{id}]',
      'major: POST /things was removed. Clients that use it fail; an operation may be removed after its x-sunset. [POST /things]',
      'minor: GET /things/{id}/parts was removed. Clients that use it fail; an operation may be removed after its x-sunset. It is beta: a minor version may do that. [GET /things/{id}/parts]',
      'minor: DELETE /old was removed. Its sunset was 2021-01-01: clients had to stop using it before. [DELETE /old]',
    ],
  )
})

t.test('a sunset that clients rely on is only moved later', async (t) => {
  await expectChanges(
    t,
    [
      ['2030-06-30', '2029-06-30'],
      ['2021-01-01', '2020-06-01'],
    ],
    [
      'major: `x-sunset` of GET /things/{id} changed from 2030-06-30 to 2029-06-30. Clients that rely on 2030-06-30 have less time; move a sunset only later. [GET /things/{id}]',
      `patch: \`x-sunset\` of DELETE /old changed from 2021-01-01 to 2020-06-01. ${none} [DELETE /old]`,
    ],
  )
  await expectChanges(
    t,
    [
      ['2030-06-30', '2031-06-30'],
      ['      x-sunset: 2021-01-01\n', ''],
      ['      operationId: getThing\n      deprecated: true\n', '      operationId: getThing\n'],
    ],
    [
      `patch: \`deprecated\` of GET /things/{id} was removed. ${none} [GET /things/{id}]`,
      `patch: \`x-sunset\` of GET /things/{id} changed from 2030-06-30 to 2031-06-30. ${none} [GET /things/{id}]`,
      `patch: \`x-sunset\` of DELETE /old was removed. ${none} [DELETE /old]`,
    ],
  )
})

t.test('a deprecation is announced, and leaves time', async (t) => {
  await expectChanges(
    t,
    [],
    [
      'major: `x-sunset` of DELETE /old was set to 2021-01-01. Clients have no time to stop using it; choose a date to come. [DELETE /old]',
      'minor: `deprecated` of GET /things/{id} was set to true. Clients should stop using it. [GET /things/{id}]',
      'minor: `x-sunset` of GET /things/{id} was set to 2030-06-30. Clients must stop using it before 2030-06-30. [GET /things/{id}]',
      `patch: \`x-deprecated-since\` of GET /things/{id} was set to 2020-01-01. ${none} [GET /things/{id}]`,
    ],
    [
      [section('      deprecated: true\n', '      parameters: [{ name: id'), ''],
      ['      x-sunset: 2021-01-01\n', ''],
    ],
  )
})

t.test(
  'an operation at another path is another operation, and the names of path parameters do not matter',
  async (t) => {
    await expectChanges(
      t,
      [
        ['  /old:', '  /new:'],
        ['operationId: listThings', 'operationId: findThings'],
        ['/things/{id}/parts:', '/things/{thing}/parts:'],
      ],
      [
        'major: DELETE /old was removed. Clients that use it fail; they may rely on it until its sunset 2031-01-01. [DELETE /old]',
        "major: `operationId` of operation `GET /things` changed from 'listThings' to 'findThings'. Generated clients name their functions after it, and no longer compile. [GET /things]",
        `minor: DELETE /new was added. ${valid} [DELETE /new]`,
        `patch: \`/things/{id}/parts\` was renamed to \`/things/{thing}/parts\`. ${none} []`,
      ],
      [['2021-01-01', '2031-01-01']],
    )
  },
)

t.test('an operation that is not stable changes with a minor version, and a stable one remains so', async (t) => {
  await expectChanges(
    t,
    [
      ['maxItems: 10', 'maxItems: 20'],
      ['operationId: listThings', 'operationId: listThings\n      x-stability-level: experimental'],
      ['operationId: getThing', 'operationId: getThing\n      x-stability-level: experimental'],
      ['x-stability-level: beta', 'x-stability-level: stable'],
    ],
    [
      'major: `x-stability-level` of GET /things was set to experimental. It is no longer stable: later minor versions may break clients. [GET /things]',
      'minor: `x-stability-level` of GET /things/{id} changed from beta to experimental. It is no longer beta: later minor versions may break clients. It is beta: a minor version may do that. [GET /things/{id}]',
      `minor: \`x-stability-level\` of GET /things/{id}/parts changed from beta to stable. ${valid} [GET /things/{id}/parts]`,
      "minor: `maxItems` changed from '10' to '20'. Responses may have values that clients do not expect. It is beta: a minor version may do that. [GET /things/{id}/parts]",
    ],
    [['operationId: getThing', 'operationId: getThing\n      x-stability-level: beta']],
  )
})

t.test('security is compared by operation, wherever the document declares it', async (t) => {
  await expectChanges(
    t,
    [
      ['Key: [read]', 'Key: [read, list]'],
      ['Key: [read, write]', 'Key: [write]'],
    ],
    [
      'major: The security changed from Key read to Key read list. Requests with credentials that are sufficient until now are refused. [GET /things, GET /things/{id}, DELETE /old]',
      'minor: The security changed from Key read to Key read list. Requests with credentials that are sufficient until now are refused. It is beta: a minor version may do that. [GET /things/{id}/parts]',
      `minor: The security changed from Key read write to Key write. ${valid} [POST /things]`,
    ],
  )
  await expectChanges(
    t,
    [['security:\n  - Key: [read]\n', '']],
    [
      'major: The security changed from none to Key read write. Requests with credentials that are sufficient until now are refused. [POST /things]',
      `minor: The security changed from Key read to none. ${valid} [GET /things, GET /things/{id}, GET /things/{id}/parts, DELETE /old]`,
    ],
    [['        - Key: [read, write]', '        []']],
  )
  await expectChanges(
    t,
    [['scheme: bearer', 'scheme: basic']],
    [
      'major: What the security scheme in Key read demands has changed. Requests with credentials that are sufficient until now are refused. [GET /things, GET /things/{id}, DELETE /old]',
      'major: What the security scheme in Key read write demands has changed. Requests with credentials that are sufficient until now are refused. [POST /things]',
      'minor: What the security scheme in Key read demands has changed. Requests with credentials that are sufficient until now are refused. It is beta: a minor version may do that. [GET /things/{id}/parts]',
    ],
  )
  await expectChanges(
    t,
    [['- Key: [read]\n', '- Key: [read]\n  - Key: [list]\n    Other: []\n']],
    [
      `minor: The security changed from Key read to Key read or Key list with Other. ${valid} [GET /things, GET /things/{id}, GET /things/{id}/parts, DELETE /old]`,
    ],
  )
})

t.test('clients rely on the URLs of the servers', async (t) => {
  const staging = '  - { url: https://staging.shop.example/v1 }\n'
  await expectChanges(
    t,
    [
      ['https://shop.example/v1', 'https://shop.example/v2'],
      [staging, ''],
    ],
    [
      'major: The server https://staging.shop.example/v1 was removed. Requests to its URL fail. [every operation]',
      'major: The server https://shop.example/v1 became https://shop.example/v2. Requests to its URL fail. [every operation]',
    ],
  )
  await expectChanges(
    t,
    [[staging, `${staging}  - { url: https://eu.shop.example/v1 }\n`]],
    [`minor: The server https://eu.shop.example/v1 was added. ${valid} [every operation]`],
  )
})

t.test('a change that clients cannot notice needs a patch version', async (t) => {
  await expectChanges(
    t,
    [
      ['Things.', 'All things.'],
      ['A key.', 'The key.'],
      ['Production', 'Live'],
      ['name: Box', 'name: Bag'],
      ['openapi: 3.1.0', 'openapi: 3.1.1'],
      ['paths:\n', 'tags: [{ name: Things }]\npaths:\n'],
      ['maxLength: 5', 'maxLength: 4'],
      ['[late, early]', '[early, late]'],
    ],
    [
      `patch: \`openapi\` of the document changed from 3.1.0 to 3.1.1. ${none} []`,
      `patch: info.license was removed. ${none} []`,
      `patch: \`description\` of info was edited. ${none} []`,
      `patch: The servers were edited. ${none} [every operation]`,
      `patch: tags was added. ${none} []`,
      `patch: \`example\` of GET /things responses.200 changed from [{"id":1,"name":"Box","kind":"small"}] to [{"id":1,"name":"Bag","kind":"small"}]. ${none} [GET /things]`,
      `patch: \`x-idempotency-ttl-seconds\` of POST /things parameters.0 was set to 86400. ${none} [POST /things]`,
      `patch: \`description\` of Key was edited. ${none} []`,
      `patch: \`x-extensible-enum\` of BadRequest.reason changed from ["late","early"] to ["early","late"]. ${none} [GET /things, POST /things]`,
      `patch: \`maxLength\` of Unused changed from 5 to 4. ${none} []`,
    ],
    [
      ['          x-idempotency-ttl-seconds: 86400\n', ''],
      ['title: Shop,', 'title: Shop, license: { name: MIT },'],
    ],
  )
})

t.test('a change of what aliases in YAML repeat is one change', async (t) => {
  const alias = (values: string): Edit[] => [
    [
      'reason: { type: string, x-extensible-enum: [late, early] }',
      `reason: &reason { type: string, enum: [${values}] }`,
    ],
    ['place: { type: string, x-extensible-enum: [body, query] }', 'place: *reason'],
  ]
  await expectChanges(
    t,
    alias('late, early, never'),
    [
      "major: Enum of `place` gained values: 'never'. Responses may have values that clients do not know. [GET /things, POST /things]",
    ],
    alias('late, early'),
  )
})
