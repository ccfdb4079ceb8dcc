/**
 * The documents that `npm run dev` refuses: one of each kind, by the check that finds it.
 */
import t from 'tap'
import { formatFailure } from '../../scripts/dev/problems.ts'
import { DocumentError } from '../../src/errors.ts'
import { serve } from './serve.ts'

const library = `openapi: 3.1.0
info: { title: Library, version: 1.0.0 }
servers: [{ url: /v1 }]
security: [{ Reader: [] }]
paths:
  /books/{isbn}:
    parameters:
      - { name: isbn, in: path, required: true, schema: { type: string } }
    get:
      operationId: getBook
      responses:
        "200":
          description: The book.
          headers: { Shelf: { schema: { type: integer } } }
          content:
            application/json:
              schema: { $ref: "#/components/schemas/Book" }
        default: { description: What is wrong. }
components:
  securitySchemes: { Reader: { type: http, scheme: basic } }
  schemas: { Book: { type: object, required: [title], properties: { title: { type: string } } } }
`

t.test('every kind of mistake in a document is named at its place, and nothing else goes wrong', async (t) => {
  await t.resolves(serve(t, library))
  for (const [from, to, problem] of [
    ['{ url: /v1 }]', '{ url: /v1 }', /^4:1: invalid YAML: /],
    [library, '[]', /^1:1: this is not an OpenAPI document; /],
    ['The book', 'Th\xE9 book', /^1:1: the file is not UTF-8; /],
    ['title: Library', 'title: *name', /^2:16: the alias "\*name" has no anchor before it; /],
    ['openapi: 3.1.0', 'openapi: 3.0.3', /^1:1: .*; write the document in OpenAPI 3\.1/],
    ['version: 1.0.0', 'version: 1', /^2:25: this must be of type string/],
    ['info:', 'tag: []\ninfo:', /^2:1: "tag" is not supported in OpenAPI Object \(did you mean "tags"\?\); /],
    ['operationId: getBook', 'operationId: 1', /^10:7: this must be of type string/],
    ['    get:', '    trace:', /^9:5: "trace" is not supported in Path Item Object/],
    ['in: path, required: true', 'in: cookie', /^8:23: "cookie" is not supported/],
    ['application/json', 'text/plain', /^16:13: "text\/plain" is not supported in content/],
    ['"#/components/schemas/Book"', '"other.yaml"', /^17:25: "other\.yaml" is not supported here/],
    ['schemas/Book"', 'schemas/Box"', /^17:25: .*"#\/components\/schemas\/Box"/],
    ['{ type: string } }\n', '{ type: text } }\n', /^8:59: "text" is not supported/m],
    ['type: integer', 'type: object', /^14:31: a header must be a scalar; /],
    ['title: { type: string }', 'title: { type: string, pattern: "(" }', /^21:92: .*regular expression/],
    [
      'title: { type: string }',
      'title: { type: string, example: 1 }',
      /^21:92: the example is not valid against its schema/,
    ],
    ['{isbn}', '{id}', /^8:9: the path has no parameter "isbn"; /],
    ['Reader: []', 'Writer: []', /^4:14: the security scheme "Writer" does not exist; /],
    ['scheme: basic', 'scheme: digest', /^20:44: "digest" is not supported/],
    ['[{ url: /v1 }]', '[{ url: /v1 }, { url: /v2 }]', /^3:1: the servers have different paths/],
    ['{ url: /v1 }', '{ url: /docs }', /^6:3: the service itself uses "\/docs"; /],
    [
      'wrong. }',
      'wrong., headers: { Shelf: { required: true, schema: { type: string } } } }',
      /^18:60: "Shelf" is required, but not sent/,
    ],
  ] as const) {
    const source = library.replace(from, to)
    t.not(source, library)
    const { name, message } = await serve(t, Buffer.from(source, 'latin1')).then(
      () => ({ name: 'none', message: `${to} is served` }),
      (error: Error) => error,
    )
    t.equal(name, 'DocumentError', message)
    t.match(message.replace(/^.*api\.yaml:/gm, ''), problem)
  }
})

t.test('a problem is shown without the line of a file that is gone', async (t) => {
  const message = 'gone.yaml:1:1: it is wrong'
  t.equal(formatFailure(new DocumentError(message)), message)
})
