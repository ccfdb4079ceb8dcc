/**
 * Spec mutations: openapi.yaml is the only place where the interface is stated, so an edit to its text alone changes what
 * the running service does. Each mutation is a request that gets another response than before.
 */
import { readFileSync } from 'node:fs'
import t, { type Test } from 'tap'
import { createContract, undeclaredMethod } from './helpers/contract.ts'
import { contractFile, type Service, type ServiceCall, startService } from './helpers/service.ts'
import { waitUntil } from './helpers/wait.ts'

const source = readFileSync(contractFile, 'utf8')
const rex = { name: 'Rex', categoryId: 1 }
const json = { 'content-type': 'application/json' }
// A method that the spec has not given to the path.
const [otherMethod = ''] = createContract(source).missing('/v1/pets')

/**
 * A text of the spec, and what it becomes. With a place, the first such text behind the place, so that an operation or a
 * schema that is added to the spec changes nothing here.
 */
type Edit = readonly [from: string, to: string, place?: string]

// Places, each of which is in the spec once.
const petsPath = '\n  /pets:\n'
const listPets = 'operationId: listPets\n'
const createPet = 'operationId: createPet\n'
const getPet = 'operationId: getPet\n'
const petId = '    PetId:\n      name: petId\n'
const idempotencyKey = '    IdempotencyKey:\n      name: Idempotency-Key\n'
const newPetBody = '  requestBodies:\n    NewPet:\n'
const petName = '    PetName:\n'
const limit = '    Limit:\n      type: integer\n'
const newPet = '    NewPet:\n      type: object\n'

interface Mutation {
  readonly name: string
  readonly edits: readonly Edit[]
  readonly requests: readonly {
    readonly request: readonly [method: string, path: string, call?: ServiceCall]
    /** What the response matches by the document as it is, and once it is edited. */
    readonly before: object
    readonly after: object
  }[]
}

const mutations: readonly Mutation[] = [
  {
    name: 'the maximum of a parameter',
    edits: [['maximum: 100', 'maximum: 99', limit]],
    requests: [
      {
        request: ['GET', '/v1/pets?limit=100'],
        before: { status: 200 },
        after: { status: 400, body: { message: 'query.limit must be at most 99' } },
      },
    ],
  },
  {
    name: 'the minimum of a parameter',
    edits: [['minimum: 1\n      maximum: 100', 'minimum: 0\n      maximum: 100', limit]],
    requests: [
      {
        request: ['GET', '/v1/pets?limit=0'],
        before: { status: 400, body: { message: 'query.limit must be at least 1' } },
        after: { status: 200, body: [] },
      },
    ],
  },
  {
    name: 'a parameter without a minimum, which may be negative then,',
    edits: [['minimum: 1\n      maximum: 100', 'maximum: 100', limit]],
    requests: [
      {
        request: ['GET', '/v1/pets?limit=-5'],
        before: { status: 400, body: { message: 'query.limit must be at least 1' } },
        after: { status: 200, body: [], headers: { link: undefined } },
      },
    ],
  },
  {
    name: 'a text without a pattern, which may have what the databases cannot store then,',
    edits: [["      pattern: '^[^\\p{Cc}\\p{Cs}]*$'\n", '', petName]],
    requests: [
      {
        request: ['POST', '/v1/pets', { json: { ...rex, name: 'Rex\n' } }],
        before: { status: 400, body: { code: 'invalid_request' } },
        after: { status: 201, body: { name: 'Rex\n' } },
      },
      ...['Rex\u0000', '\ud800Rex'].map((name) => ({
        request: ['POST', '/v1/pets', { body: JSON.stringify({ ...rex, name }), headers: json }] as const,
        before: { status: 400, body: { code: 'invalid_request' } },
        after: { status: 400, body: { code: 'invalid_request', message: /^body\.name has a character that cannot/ } },
      })),
    ],
  },
  {
    name: 'the default of a parameter',
    edits: [['default: 20', 'default: 3', limit]],
    requests: [
      {
        request: ['GET', '/v1/pets'],
        before: { status: 200, body: { length: 20 } },
        after: { status: 200, body: { length: 3 }, headers: { link: /<\/v1\/pets\?limit=3&/ } },
      },
    ],
  },
  {
    name: 'a parameter that becomes required',
    edits: [['description: Only animals with this status are returned.', 'required: true']],
    requests: [
      {
        request: ['GET', '/v1/pets'],
        before: { status: 200 },
        after: { status: 400, body: { message: 'query.status is required' } },
      },
    ],
  },
  {
    name: 'a parameter that goes',
    edits: [['        - $ref: "#/components/parameters/Status"\n', '', listPets]],
    requests: [
      {
        request: ['GET', '/v1/pets?status=sold'],
        before: { status: 200 },
        after: { status: 400, body: { message: 'query.status is not allowed; allowed are limit, cursor' } },
      },
    ],
  },
  {
    name: 'a parameter that is new',
    edits: [
      [
        '        - $ref: "#/components/parameters/Cursor"\n',
        '        - $ref: "#/components/parameters/Cursor"\n        - { name: pretty, in: query, schema: { type: boolean } }\n',
        listPets,
      ],
    ],
    requests: [
      {
        request: ['GET', '/v1/pets?pretty=true'],
        before: { status: 400, body: { message: 'query.pretty is not allowed; allowed are limit, status, cursor' } },
        after: { status: 200 },
      },
      {
        request: ['GET', '/v1/pets?pretty=1'],
        before: { status: 400 },
        after: { status: 400, body: { message: 'query.pretty must be a boolean' } },
      },
    ],
  },
  {
    name: 'the type of a path parameter',
    edits: [['$ref: "#/components/schemas/Int64"', '$ref: "#/components/schemas/PetId"', petId]],
    requests: [
      {
        request: ['GET', '/v1/pets/0'],
        before: { status: 404 },
        after: { status: 400, body: { message: 'path.petId must be at least 1' } },
      },
    ],
  },
  {
    name: 'the values of an enumeration',
    edits: [['enum: [available, pending, sold]', 'enum: [available, pending, reserved]']],
    requests: [
      {
        request: ['POST', '/v1/pets', { json: { ...rex, status: 'reserved' } }],
        before: { status: 400, body: { message: 'body.status must be one of available, pending, sold' } },
        after: { status: 201, body: { status: 'reserved' } },
      },
      {
        request: ['GET', '/v1/pets?status=sold'],
        before: { status: 200 },
        after: { status: 400, body: { message: 'query.status must be one of available, pending, reserved' } },
      },
    ],
  },
  {
    name: 'the default of a field',
    edits: [['default: available', 'default: pending', newPet]],
    requests: [
      {
        request: ['POST', '/v1/pets', { json: rex }],
        before: { status: 201, body: { status: 'available' } },
        after: { status: 201, body: { status: 'pending' } },
      },
    ],
  },
  {
    name: 'a field that becomes required',
    edits: [
      ['required: [name, categoryId]', 'required: [name, categoryId, status]', newPet],
      ['          default: available\n', '', newPet],
    ],
    requests: [
      {
        request: ['POST', '/v1/pets', { json: rex }],
        before: { status: 201 },
        after: { status: 400, body: { message: 'body.status is required' } },
      },
    ],
  },
  {
    name: 'a field that is new',
    edits: [
      [
        '      properties:\n        name:\n          $ref: "#/components/schemas/PetName"\n        categoryId:\n          $ref: "#/components/schemas/CategoryId"\n        status:\n          $ref: "#/components/schemas/PetStatus"\n          default',
        '      properties:\n        colour:\n          type: string\n        name:\n          $ref: "#/components/schemas/PetName"\n        categoryId:\n          $ref: "#/components/schemas/CategoryId"\n        status:\n          $ref: "#/components/schemas/PetStatus"\n          default',
      ],
    ],
    requests: [
      {
        request: ['POST', '/v1/pets', { json: { ...rex, colour: 'brown' } }],
        before: { status: 400, body: { message: 'body.colour is not allowed; allowed are name, categoryId, status' } },
        after: { status: 201 },
      },
      {
        request: ['POST', '/v1/pets', { json: { ...rex, colour: 1 } }],
        before: { status: 400 },
        after: { status: 400, body: { message: 'body.colour must be a string' } },
      },
    ],
  },
  {
    name: 'the length of a text',
    edits: [['minLength: 1\n      maxLength: 255', 'minLength: 3\n      maxLength: 256', petName]],
    requests: [
      {
        request: ['POST', '/v1/pets', { json: { ...rex, name: 'x'.repeat(256) } }],
        before: { status: 400, body: { message: 'body.name must have at most 255 characters' } },
        after: { status: 201 },
      },
      {
        request: ['POST', '/v1/pets', { json: { ...rex, name: 'Bo' } }],
        before: { status: 201 },
        after: { status: 400, body: { message: 'body.name must have at least 3 characters' } },
      },
    ],
  },
  {
    name: 'how deep a body may be nested',
    edits: [['x-max-depth: 64', 'x-max-depth: 2']],
    requests: [
      {
        request: ['POST', '/v1/pets', { json: [[[]]] }],
        before: { status: 400, body: { message: 'body must be an object' } },
        after: { status: 400, body: { code: 'malformed_json', message: 'body is nested deeper than 2 levels' } },
      },
    ],
  },
  {
    name: 'the pattern of a text',
    edits: [["pattern: '^[^\\p{Cc}\\p{Cs}]*$'", "pattern: '^[A-Z]'"]],
    requests: [
      {
        request: ['POST', '/v1/pets', { json: { ...rex, name: 'rex' } }],
        before: { status: 201 },
        after: { status: 400, body: { message: /^body\.name must match its description/ } },
      },
    ],
  },
  {
    name: 'the range of an int64',
    edits: [
      [
        'description: Id of the category the animal belongs to.',
        'minimum: -5\n      maximum: 9007199254740993\n      description: Id of the category the animal belongs to.',
      ],
    ],
    requests: [
      {
        request: ['POST', '/v1/pets', { json: { ...rex, categoryId: 9007199254740993n } }],
        before: { status: 201 },
        after: { status: 201, body: { categoryId: 9007199254740993n } },
      },
      {
        request: ['POST', '/v1/pets', { json: { ...rex, categoryId: 9007199254740994n } }],
        before: { status: 201 },
        after: { status: 400, body: { message: 'body.categoryId must be at most 9007199254740993' } },
      },
      {
        request: ['POST', '/v1/pets', { json: { ...rex, categoryId: -6 } }],
        before: { status: 201 },
        after: { status: 400, body: { message: 'body.categoryId must be at least -5' } },
      },
    ],
  },
  {
    name: 'how large a body may be',
    edits: [['x-max-bytes: 65536', 'x-max-bytes: 40', newPetBody]],
    requests: [
      {
        request: ['POST', '/v1/pets', { json: { ...rex, name: 'A rather long name' } }],
        before: { status: 201 },
        after: { status: 413, body: { message: 'the body is larger than 40 bytes' } },
      },
      { request: ['POST', '/v1/pets', { json: rex }], before: { status: 201 }, after: { status: 201 } },
    ],
  },
  {
    name: 'a body that need not be there',
    edits: [['    NewPet:\n      required: true\n', '    NewPet:\n      required: false\n']],
    requests: [
      {
        request: ['POST', '/v1/pets'],
        before: { status: 400, body: { message: 'body is required' } },
        // The handler was written for a body that is there.
        after: { status: 500 },
      },
    ],
  },
  {
    name: 'the day of a sunset',
    edits: [['x-sunset: 2030-12-05', 'x-sunset: 2031-01-01', getPet]],
    requests: [
      {
        request: ['GET', '/v1/pets/1'],
        before: { headers: { sunset: 'Thu, 05 Dec 2030 00:00:00 GMT' } },
        after: { headers: { sunset: 'Wed, 01 Jan 2031 00:00:00 GMT' } },
      },
    ],
  },
  {
    name: 'the day of a deprecation, and what replaces the operation',
    edits: [
      ['x-deprecated-since: 2026-11-20', 'x-deprecated-since: 1970-01-02', getPet],
      ['      x-replaced-by: listPets\n', '', getPet],
    ],
    requests: [
      {
        request: ['GET', '/v1/pets/1'],
        before: { headers: { deprecation: '@1795132800', link: /successor-version/ } },
        after: {
          headers: { deprecation: '@86400', link: '</docs#/Animals/getPet>; rel="deprecation"; type="text/html"' },
        },
      },
    ],
  },
  {
    name: 'a deprecation that is taken back',
    edits: [
      ['deprecated: true', 'deprecated: false', getPet],
      ['"#/components/headers/Deprecation"', '"#/components/headers/DeprecationIfAny"', getPet],
      ['"#/components/headers/Sunset"', '"#/components/headers/SunsetIfAny"', getPet],
      ['"#/components/headers/DeprecationLinks"', '"#/components/headers/DeprecationLinksIfAny"', getPet],
    ],
    requests: [
      {
        request: ['GET', '/v1/pets/1'],
        before: { status: 200, headers: { deprecation: String, sunset: String, link: String } },
        after: { status: 200, headers: { deprecation: undefined, sunset: undefined, link: undefined } },
      },
    ],
  },
  {
    name: 'an operation that becomes deprecated',
    edits: [
      [
        'operationId: createPet\n',
        'operationId: createPet\n      deprecated: true\n      x-deprecated-since: 2027-01-01\n      x-sunset: 2028-01-01\n',
      ],
      [
        '            Location:\n',
        '            Deprecation: { $ref: "#/components/headers/Deprecation" }\n            Sunset: { $ref: "#/components/headers/Sunset" }\n            Link: { $ref: "#/components/headers/DeprecationLinks" }\n            Location:\n',
        createPet,
      ],
    ],
    requests: [
      {
        request: ['POST', '/v1/pets', { json: rex }],
        before: { status: 201, headers: { deprecation: undefined } },
        after: {
          status: 201,
          headers: { deprecation: '@1798761600', sunset: 'Sat, 01 Jan 2028 00:00:00 GMT', link: /createPet/ },
        },
      },
    ],
  },
  {
    name: 'a list that becomes deprecated, and still has pages',
    edits: [
      [
        'operationId: listPets\n',
        'operationId: listPets\n      deprecated: true\n      x-deprecated-since: 2027-01-01\n',
      ],
      [
        '              $ref: "#/components/headers/NextPage"\n',
        '              $ref: "#/components/headers/NextPage"\n            Deprecation: { $ref: "#/components/headers/Deprecation" }\n',
        listPets,
      ],
    ],
    requests: [
      {
        request: ['GET', '/v1/pets?limit=1'],
        before: { headers: { link: '</v1/pets?limit=1&cursor=AAAAAAAAAAE>; rel="next"' } },
        after: {
          headers: {
            deprecation: '@1798761600',
            link: '</v1/pets?limit=1&cursor=AAAAAAAAAAE>; rel="next", </docs#/Animals/listPets>; rel="deprecation"; type="text/html"',
          },
        },
      },
    ],
  },
  {
    name: 'an operation that needs no key',
    edits: [['operationId: listPets\n', 'operationId: listPets\n      security: []\n']],
    requests: [
      { request: ['GET', '/v1/pets', { key: null }], before: { status: 401 }, after: { status: 200 } },
      { request: ['GET', '/v1/pets/1', { key: null }], before: { status: 401 }, after: { status: 401 } },
      { request: ['POST', '/v1/pets', { key: null, json: rex }], before: { status: 401 }, after: { status: 401 } },
    ],
  },
  {
    name: 'the title, which is the realm of the keys',
    edits: [['title: Animal Store', 'title: "Zoo \\"Łódź\\""']],
    requests: [
      {
        request: ['GET', '/v1/pets', { key: null }],
        before: { status: 401, headers: { 'www-authenticate': 'Bearer realm="Animal Store"' } },
        after: { status: 401, headers: { 'www-authenticate': 'Bearer realm="Zoo \\"??d?\\""' } },
      },
    ],
  },
  {
    name: 'a key in a header of its own',
    edits: [['type: http\n      scheme: bearer\n', 'type: apiKey\n      in: header\n      name: X-Key\n']],
    requests: [
      {
        request: ['GET', '/v1/pets', { key: null }],
        before: { status: 401, headers: { 'www-authenticate': 'Bearer realm="Animal Store"' } },
        after: { status: 401, headers: { 'www-authenticate': 'ApiKey realm="Animal Store"' } },
      },
    ],
  },
  {
    name: 'a creation that needs no key',
    edits: [['security:\n        - ApiKey: [pets:write]\n', 'security: []\n', createPet]],
    requests: [
      { request: ['POST', '/v1/pets', { key: null, json: rex }], before: { status: 401 }, after: { status: 201 } },
      {
        request: [
          'POST',
          '/v1/pets',
          { key: null, json: rex, headers: { 'Idempotency-Key': '"nobody-in-particular"' } },
        ],
        before: { status: 401 },
        after: { status: 201 },
      },
    ],
  },
  {
    name: 'the path of the servers',
    edits: [
      ['https://api.animal-store.example/v1', 'https://api.animal-store.example/store/v2'],
      ['https://staging.animal-store.example/v1', 'https://staging.animal-store.example/store/v2'],
    ],
    requests: [
      { request: ['GET', '/v1/pets'], before: { status: 200 }, after: { status: 404 } },
      {
        request: ['GET', '/store/v2/pets?limit=1'],
        before: { status: 404 },
        after: { status: 200, headers: { link: /<\/store\/v2\/pets\?/ } },
      },
      {
        request: ['POST', '/store/v2/pets', { json: rex }],
        before: { status: 404 },
        after: { status: 201, headers: { location: /^\/store\/v2\/pets\/\d+$/ } },
      },
    ],
  },
  {
    name: 'the paths of the operations',
    edits: [
      ['\n  /pets:\n', '\n  /animals:\n'],
      ['\n  /pets/{petId}:\n', '\n  /animals/by-id/{petId}:\n'],
    ],
    requests: [
      { request: ['GET', '/v1/pets'], before: { status: 200 }, after: { status: 404 } },
      {
        request: [undeclaredMethod, '/v1/animals'],
        before: { status: 404 },
        after: { status: 405 },
      },
      {
        request: ['POST', '/v1/animals', { json: rex }],
        before: { status: 404 },
        after: { status: 201, headers: { location: /^\/v1\/animals\/by-id\/\d+$/ } },
      },
      {
        request: ['GET', '/v1/animals/by-id/1'],
        before: { status: 404 },
        after: { status: 200, headers: { link: /<\/v1\/animals>; rel="successor-version"/ } },
      },
    ],
  },
  {
    name: 'the method of an operation',
    edits: [['\n    post:\n', `\n    ${otherMethod.toLowerCase()}:\n`, petsPath]],
    requests: [
      { request: [otherMethod, '/v1/pets', { json: rex }], before: { status: 405 }, after: { status: 201 } },
      { request: ['POST', '/v1/pets', { json: rex }], before: { status: 201 }, after: { status: 405 } },
    ],
  },
  {
    name: 'the title',
    edits: [['title: Animal Store', 'title: The "Zoo"']],
    requests: [
      {
        request: ['GET', '/v1/pets', { key: null }],
        before: { headers: { 'www-authenticate': 'Bearer realm="Animal Store"' } },
        after: { headers: { 'www-authenticate': 'Bearer realm="The \\"Zoo\\""' } },
      },
    ],
  },
  {
    name: 'a header with one value',
    edits: [['const: private, no-cache', 'const: private, max-age=60']],
    requests: [
      {
        request: ['GET', '/v1/pets'],
        before: { headers: { 'cache-control': 'private, no-cache' } },
        after: { headers: { 'cache-control': 'private, max-age=60' } },
      },
    ],
  },
  {
    name: 'a field that is no longer told',
    edits: [
      ['required: [id, name, categoryId, status]', 'required: [id, name, status]'],
      [
        '        id:\n          $ref: "#/components/schemas/PetId"\n        name:\n          $ref: "#/components/schemas/PetName"\n        categoryId:\n          $ref: "#/components/schemas/CategoryId"\n',
        '        id:\n          $ref: "#/components/schemas/PetId"\n        name:\n          $ref: "#/components/schemas/PetName"\n',
      ],
    ],
    requests: [
      {
        request: ['GET', '/v1/pets/1'],
        before: { text: '{"id":1,"name":"Rex 1","categoryId":1,"status":"available"}' },
        after: { text: '{"id":1,"name":"Rex 1","status":"available"}' },
      },
    ],
  },
]

const before = await start(t, source)

for (const { name, edits, requests } of mutations) {
  t.test(`${name} changes with the document`, async (t) => {
    // Some edits make an example wrong, which is refused; that is shown below.
    const after = await start(t, withoutExamples(mutate(t, edits)))
    for (const { request, ...expected } of requests) {
      for (const [time, service, response] of [
        ['before', before, expected.before],
        ['after', after, expected.after],
      ] as const) {
        const [method, path] = request
        const { status, headers, ...others } = await service.call(...request)
        t.match({ status, headers, ...others }, response, `${method} ${path} ${time}`)
        if (status === 405) t.equal(headers.allow, service.contract.allow(path))
      }
    }
  })
}

t.test('parts of the spec that are only documentation are logged once at start', async (t) => {
  const { logged } = await start(
    t,
    mutate(t, [['tags:\n  - name: Animals', 'webhooks: { sold: {} }\ntags:\n  - name: Animals']]),
  )
  t.match(
    logged().filter(({ parts }) => parts !== undefined),
    [{ level: 20, parts: ['/webhooks'], msg: 'these parts of the spec are documentation, and not served' }],
  )
})

t.test('the lifetime of idempotency keys changes with the document', async (t) => {
  const add = ({ call }: Service) => call('POST', '/v1/pets', { json: rex, headers: { 'idempotency-key': '"a"' } })
  const day = await start(t, source)
  const second = await start(
    t,
    mutate(t, [['x-idempotency-ttl-seconds: 86400', 'x-idempotency-ttl-seconds: 1', idempotencyKey]]),
  )
  const first = [await add(day), await add(second)]
  await waitUntil(async () => (await add(second)).text !== first[1]?.text)
  t.equal((await add(day)).text, first[0]?.text)
})

interface Refusal {
  readonly name: string
  readonly edits: readonly Edit[]
  readonly isWithoutExamples?: true
  readonly lines: readonly RegExp[]
}

const refusals: readonly Refusal[] = [
  {
    name: 'an operation that no handler is written for',
    edits: [['operationId: createPet', 'operationId: addPet']],
    lines: [/the handler "createPet" has no operation/, /"addPet" has no handler/],
  },
  {
    name: 'an operation that goes, while another still names it',
    edits: [['operationId: listPets', 'operationId: findPets']],
    // The handlers are compared with a document that is consistent.
    lines: [/the operation "listPets" does not exist/],
  },
  {
    name: 'a default that is out of range',
    edits: [['default: 20', 'default: 200', limit]],
    lines: [/the default is not valid against its schema/],
  },
  {
    name: 'a member that an example still has',
    edits: [
      ['required: [name, categoryId]', 'required: [name]', newPet],
      ['        categoryId:\n          $ref: "#/components/schemas/CategoryId"\n', '', newPet],
    ],
    lines: [
      /the example is not valid against its schema: example\.categoryId is not allowed; allowed are name, status; change/,
      /the example is not valid against its schema: example\.categoryId is not allowed; allowed are name, status; change/,
    ],
  },
  {
    name: 'a security scheme that is not supported',
    edits: [['scheme: bearer', 'scheme: digest']],
    lines: [/"digest" is not supported here; use "bearer" or "basic"/],
  },
  {
    name: 'a sunset before the deprecation',
    edits: [['x-sunset: 2030-12-05', 'x-sunset: 2026-11-19', getPet]],
    lines: [/the sunset 2026-11-19 is earlier than the deprecation 2026-11-20/],
  },
  {
    name: 'a date of deprecation that its headers have no place for',
    edits: [['x-deprecated-since: 2026-11-20', 'x-deprecated-since: 1969-01-01']],
    lines: [
      /Deprecation must match \S+, but the server sends @-31536000; change the schema/,
      /Deprecation must match \S+, but the server sends @-31536000; change the schema/,
    ],
  },
  {
    name: 'a sunset that its header has no place for',
    isWithoutExamples: true,
    edits: [
      ['type: string', 'type: string\n        pattern: "2030"', '    Sunset:\n      description'],
      ['x-sunset: 2030-12-05', 'x-sunset: 2031-12-05'],
    ],
    lines: [/Sunset must match 2030, but the server sends Fri, 05 Dec 2031 00:00:00 GMT; change the schema/],
  },
  {
    name: 'links of a deprecation that their header has no place for',
    isWithoutExamples: true,
    edits: [['type: string', 'type: string\n        maxLength: 9', '    DeprecationLinks:']],
    lines: [
      /Link must have at most 9 characters, but the server sends <\/docs#\/Animals\/getPet>; rel="deprecation"; .+; change/,
    ],
  },
  {
    name: 'a document without a title',
    edits: [['  title: Animal Store\n', '']],
    lines: [/Info Object needs "title"; add it/],
  },
  {
    name: 'a parameter that leads nowhere',
    edits: [['$ref: "#/components/parameters/PetId"', '$ref: "#/components/parameters/Id"', getPet]],
    lines: [/"#\/components\/parameters\/Id" does not exist/],
  },
]

for (const { name, edits, isWithoutExamples = false, lines } of refusals) {
  t.test(`${name} is refused`, async (t) => {
    const options = {
      databaseUrl: 'sqlite::memory:',
      corsOrigins: ['https://pages.example'],
      rateLimit: { count: 100, seconds: 60 },
      trustProxy: ['127.0.0.1'],
    }
    const document = isWithoutExamples ? withoutExamples(mutate(t, edits)) : mutate(t, edits)
    const error = await startService(t, { source: document, ...options }).then(
      () => t.fail('the service has started'),
      (reason: unknown) => reason as Error,
    )
    const said = (error as Error).message.split('\n')
    t.equal(said.length, lines.length)
    for (const [index, line] of lines.entries()) {
      t.match(said[index], /^\S+openapi\.yaml:\d+:\d+: .+; .+$/)
      t.match(said[index], line)
    }
  })
}

/** The spec after the edits. Each text must be there, and once unless a place says which one is meant. */
function mutate(t: Test, edits: readonly Edit[]): string {
  return edits.reduce((text, [from, to, place]) => {
    t.equal(text.split(place ?? from).length, 2, `the spec has this text once: ${JSON.stringify(place ?? from)}`)
    const start = text.indexOf(from, place === undefined ? 0 : text.indexOf(place) + place.length)
    t.ok(start >= 0, `the spec has this text: ${JSON.stringify(from)}`)
    return text.slice(0, start) + to + text.slice(start + from.length)
  }, source)
}

/** The spec without the lines of its examples. */
function withoutExamples(document: string): string {
  return document.replaceAll(/^( *)examples?:.*\n(?:\1 .*\n)*/gm, '')
}

/** The service by a document, with 25 animals. */
async function start(t: Test, document: string): Promise<Service> {
  const service = await startService(t, { source: document, databaseUrl: 'sqlite::memory:' })
  for (let count = 1; count <= 25; count++) {
    await service.store.pets.add({ name: `Rex ${count}`, categoryId: 1n, status: 'available' })
  }
  return service
}
