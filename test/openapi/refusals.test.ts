/**
 * What the engine refuses to start on. Each entry is an edit of one small document, which is served as it is; in the
 * edited text, « marks each place that is to be named, and is taken out again.
 */
import { join, relative } from 'node:path'
import t from 'tap'
import { loadDocument } from '../../src/openapi/document.ts'
import { temporaryFolder } from '../helpers/temporary.ts'
import { idle, refusal } from './engine.ts'

const library = `openapi: 3.1.0
info:
  title: Library
  version: 1.0.0
servers:
  - url: https://library.example/v1
security:
  - Reader: []
tags:
  - name: Books
paths:
  /books:
    get:
      operationId: listBooks
      tags: [Books]
      parameters:
        - $ref: "#/components/parameters/Limit"
      responses:
        "200":
          $ref: "#/components/responses/Books"
    post:
      operationId: addBook
      requestBody:
        x-max-bytes: 65536
        required: true
        content:
          application/json:
            schema:
              $ref: "#/components/schemas/Book"
      responses:
        "201":
          description: The book.
          headers:
            X-Shelf:
              schema: { type: integer }
          content:
            application/json:
              schema:
                $ref: "#/components/schemas/Book"
  /books/{isbn}:
    parameters:
      - name: isbn
        in: path
        required: true
        schema: { type: string }
    get:
      operationId: getBook
      deprecated: true
      x-deprecated-since: 2026-01-01
      x-sunset: 2027-01-01
      x-replaced-by: listBooks
      responses:
        "200":
          description: The book.
        "204":
          description: There is none.
components:
  securitySchemes:
    Reader: { type: http, scheme: basic }
  parameters:
    Limit:
      name: limit
      in: query
      schema: { type: integer, default: 20 }
  responses:
    Books:
      description: The books.
      content:
        application/json:
          schema:
            type: array
            items:
              $ref: "#/components/schemas/Book"
  schemas:
    Book:
      type: object
      required: [title]
      additionalProperties: false
      properties:
        title: { type: string }
        pages: { type: integer, minimum: 1 }
        sequels:
          type: array
          items:
            $ref: "#/components/schemas/Book"
`

const authenticators = { 'http basic': idle }

/** What stands in the document, what is put in its place, and what is said of each mark in it, in their order. */
type Refusal = readonly [what: string, from: string, to: string, ...says: string[]]

const refusals: readonly Refusal[] = [
  // YAML
  [
    'a tab for indentation',
    '  title: Library',
    '«\ttitle: ««Library',
    'not YAML: Tabs are not allowed as indentation; correct the syntax',
    'not YAML: Nested mappings are not allowed in compact mappings; correct the syntax',
    'not YAML: Implicit keys need to be on a single line; correct the syntax',
  ],
  [
    'an unclosed bracket',
    'tags: [Books]\n      parameters',
    'tags: [Books\n      «parameters',
    'not YAML: Flow sequence in block collection must be sufficiently indented and end with a ]; correct the syntax',
  ],
  [
    'a name given twice in an object',
    '  version: 1.0.0',
    '  version: 1.0.0\n  «version: 1.0.1',
    'not YAML: Map keys must be unique; correct the syntax',
  ],
  [
    'a second document in the file',
    'components:\n',
    '«---\ncomponents:\n',
    'here begins a second document; keep one in the file',
  ],
  [
    'an alias without an anchor',
    'title: Library',
    'title: «*name',
    'the alias "*name" stands for nothing, for there is no such anchor before it; write out what it is to stand for',
  ],
  [
    'an alias within its own anchor',
    'tags: [Books]',
    'tags: &tags [Books, «*tags]',
    'the alias "*tags" stands for nothing, for it stands within its own anchor; write out what it is to stand for',
  ],
  [
    'a tag of YAML that JSON has no value for',
    'title: Library',
    'title: «!!binary aGk=',
    'not YAML: Unresolved tag: tag:yaml.org,2002:binary; correct the syntax',
  ],
  [
    'a key that is no text',
    'title: Library',
    'title: Library\n  ? «[a, b]\n  : c',
    'this key is a collection; make it a text',
  ],
  // document
  [
    'OpenAPI 3.0',
    'openapi: 3.1.0',
    '«openapi: 3.0.3',
    '"3.0.3" is not honoured here; write the document in OpenAPI 3.1 and say "3.1.0"',
  ],
  [
    'a version without quotes',
    'version: 1.0.0',
    '«version: 1.0',
    'this must be of type string, but is 1; put it in quotes',
  ],
  [
    'a title that is an object',
    '  title: Library\n',
    '  «title: {}\n',
    'this must be of type string, but is an object; change it',
  ],
  [
    'a document without info',
    'openapi: 3.1.0\ninfo:\n  title: Library\n  version: 1.0.0\n',
    '«openapi: 3.1.0\n',
    'OpenAPI Object needs "info"; add it',
  ],
  [
    'info that is a list',
    'info:\n  title: Library\n  version: 1.0.0\n',
    '«info: []\n',
    'this must be of type object, but is an array; change it',
  ],
  [
    'info without a version',
    'info:\n  title: Library\n  version: 1.0.0\n',
    '«info:\n  title: Library\n',
    'Info Object needs "version"; add it',
  ],
  [
    'an unknown field',
    'version: 1.0.0',
    'version: 1.0.0\n  «sumary: x',
    '"sumary" is not honoured in Info Object (did you mean "summary"?); remove or correct it',
  ],
  [
    'an unknown x- field',
    'version: 1.0.0',
    'version: 1.0.0\n  «x-logo: x',
    '"x-logo" is not honoured in Info Object; remove or correct it',
  ],
  [
    'webhooks',
    'tags:\n',
    '«webhooks: {}\ntags:\n',
    '"webhooks" is not honoured in OpenAPI Object; remove or correct it',
  ],
  [
    'another dialect of JSON Schema',
    'tags:\n',
    '«jsonSchemaDialect: https://json-schema.org/draft/2020-12/schema\ntags:\n',
    '"jsonSchemaDialect" is not honoured in OpenAPI Object; remove or correct it',
  ],
  [
    'a license by identifier and url',
    '  version: 1.0.0',
    '  version: 1.0.0\n  «license: { name: MIT, identifier: MIT, url: https://x.example }',
    '"identifier" and "url" exclude each other; keep one of them',
  ],
  ['a URL that is none', 'title: Library', 'title: Library\n  «termsOfService: "a b"', '"a b" is no URL; write a URL'],
  [
    'a mail address that is none',
    'title: Library',
    'title: Library\n  contact: { «email: librarian }',
    '"librarian" is no mail address; write an address such as name@example.com',
  ],
  [
    'a tag given twice',
    '  - name: Books',
    '  - name: Books\n  - «name: Books',
    'the tag "Books" is given twice; remove one',
  ],
  [
    'a tag without a name',
    '  - name: Books',
    '  - name: Books\n  - «description: Books',
    'Tag Object needs "name"; add it',
  ],
  // servers
  [
    'an address of another kind',
    'url: https://library.example/v1',
    '«url: ftp://library.example',
    '"ftp://library.example" is no plain http(s) address or path without a trailing slash; correct it',
  ],
  [
    'an address with a query',
    'url: https://library.example/v1',
    '«url: https://library.example/v1?a=b',
    '"https://library.example/v1?a=b" is no plain http(s) address or path without a trailing slash; correct it',
  ],
  [
    'an address with a trailing slash',
    'url: https://library.example/v1',
    '«url: https://library.example/v1/',
    '"https://library.example/v1/" is no plain http(s) address or path without a trailing slash; correct it',
  ],
  [
    'an address with credentials',
    'url: https://library.example/v1',
    '«url: https://me:secret@library.example/v1',
    '"https://me:secret@library.example/v1" is no plain http(s) address or path without a trailing slash; correct it',
  ],
  [
    'an address with a variable that is not declared',
    'url: https://library.example/v1',
    '«url: "{base}"',
    '"{base}" is no plain http(s) address or path without a trailing slash; correct it',
  ],
  [
    'servers with different paths',
    'servers:\n',
    '«servers:\n  - url: /v2\n',
    'the servers lead to different paths, /v2 and /v1; let all end in one',
  ],
  [
    'a server without an address',
    '  - url: https://library.example/v1',
    '  - «description: The one',
    'Server Object needs "url"; add it',
  ],
  [
    'a variable without a default',
    'url: https://library.example/v1',
    'url: "{base}"\n    variables: { «base: {} }',
    'Server Variable Object needs "default"; add it',
  ],
  [
    'a variable with a list of values',
    'url: https://library.example/v1',
    'url: "{base}"\n    variables: { base: { default: /v1, «enum: [/v1] } }',
    '"enum" is not honoured in Server Variable Object; remove or correct it',
  ],
  [
    'servers that are no list',
    'servers:\n  - url: https://library.example/v1',
    '«servers: /v1',
    'this must be of type array, but is "/v1"; change it',
  ],
  // paths
  [
    'a path without a slash at the beginning',
    '  /books:\n',
    '  «books:\n',
    '"books" is not honoured in Paths Object; begin a path with "/"',
  ],
  [
    'a path with an escape',
    '  /books:\n',
    '  «/b%6Foks:\n',
    'the path "/b%6Foks" is not honoured; make each segment plain text or one {parameter}, named with letters, digits and "_"',
  ],
  [
    'a path with a parameter among text',
    '  /books/{isbn}:\n',
    '  «/books/isbn-{isbn}:\n',
    'the path "/books/isbn-{isbn}" is not honoured; make each segment plain text or one {parameter}, named with letters, digits and "_"',
  ],
  [
    'a path with a trailing slash',
    '  /books:\n',
    '  «/books/:\n',
    'the path "/books/" is not honoured; make each segment plain text or one {parameter}, named with letters, digits and "_"',
  ],
  [
    'a path with dots',
    '  /books:\n',
    '  «/../books:\n',
    'the path "/../books" is not honoured; make each segment plain text or one {parameter}, named with letters, digits and "_"',
  ],
  [
    'a path without an object',
    '  /books:\n',
    '  «/other:\n  /books:\n',
    'this must be of type object, but is null; change it',
  ],
  [
    'a path that matches the same requests as another',
    'components:\n',
    '  «/books/{id}: {}\ncomponents:\n',
    'the path matches the same requests as "/books/{isbn}"; remove one of them',
  ],
  [
    'a path with a parameter twice',
    '  /books/{isbn}:\n',
    '  «/books/{isbn}/of/{isbn}:\n',
    'the path has the parameter "isbn" twice; choose another name for one of them',
  ],
  [
    'a path parameter by another name than in the path',
    'name: isbn\n        in: path\n        required: true\n        schema: { type: string }\n    get:',
    '«name: number\n        in: path\n        required: true\n        schema: { type: string }\n    «get:',
    'the path has no parameter "number"; remove it or add {number} to the path',
    'the path parameter "isbn" is not declared; add it to the parameters',
  ],
  [
    'servers of a path',
    '  /books:\n',
    '  /books:\n    «servers: []\n',
    '"servers" is not honoured in Path Item Object; remove or correct it',
  ],
  [
    'a reference in place of a path',
    '  /books:\n',
    '  /other:\n    «$ref: "#/paths/~1books"\n  /books:\n',
    '"$ref" is not honoured in Path Item Object; remove or correct it',
  ],
  [
    'a method that is not honoured',
    '  /books:\n',
    '  /books:\n    «head: {}\n',
    '"head" is not honoured in Path Item Object; remove or correct it',
  ],
  // operations
  [
    'an operation without an id',
    '    post:\n      operationId: addBook\n',
    '    «post:\n',
    'Operation Object needs "operationId"; add it',
  ],
  [
    'an operationId given twice',
    'operationId: addBook',
    '«operationId: listBooks',
    'the operationId "listBooks" is given twice; choose another one',
  ],
  [
    'an operationId that is no name',
    'operationId: addBook',
    '«operationId: add book',
    '"add book" is not honoured here; make it of letters, digits and "_"',
  ],
  [
    'an operation without responses',
    '    get:\n      operationId: listBooks\n      tags: [Books]\n      parameters:\n        - $ref: "#/components/parameters/Limit"\n      responses:\n        "200":\n          $ref: "#/components/responses/Books"\n',
    '    «get:\n      operationId: listBooks\n',
    'Operation Object needs "responses"; add it',
  ],
  [
    'callbacks',
    'operationId: addBook',
    'operationId: addBook\n      «callbacks: {}',
    '"callbacks" is not honoured in Operation Object; remove or correct it',
  ],
  [
    'servers of an operation',
    'operationId: addBook',
    'operationId: addBook\n      «servers: []',
    '"servers" is not honoured in Operation Object; remove or correct it',
  ],
  [
    'a stability that is none',
    'operationId: addBook',
    'operationId: addBook\n      «x-stability-level: alpha',
    '"alpha" is not honoured here; use one of: experimental, beta, stable',
  ],
  // lifecycle
  [
    'a sunset before the deprecation',
    'x-sunset: 2027-01-01',
    '«x-sunset: 2025-01-01',
    'the sunset 2025-01-01 is earlier than the deprecation 2026-01-01; change one of them',
  ],
  [
    'a sunset that is no date',
    'x-sunset: 2027-01-01',
    '«x-sunset: 1 January 2027',
    '"1 January 2027" is no date; write it as YYYY-MM-DD',
  ],
  [
    'a sunset that is a number',
    'x-sunset: 2027-01-01',
    '«x-sunset: 20270101',
    'this must be of type string, but is 20270101; put it in quotes',
  ],
  [
    'a deprecation without its date',
    'deprecated: true\n      x-deprecated-since: 2026-01-01\n',
    '«deprecated: true\n',
    'since when the operation is deprecated is not said; add "x-deprecated-since" with a date',
  ],
  [
    'a lifecycle of what is not deprecated',
    '      deprecated: true\n      x-deprecated-since: 2026-01-01\n      x-sunset: 2027-01-01\n      x-replaced-by: listBooks',
    '      «x-deprecated-since: 2026-01-01\n      «x-sunset: 2027-01-01\n      «x-replaced-by: listBooks',
    '"x-deprecated-since" says nothing of an operation that is not deprecated; add "deprecated: true" or remove it',
    '"x-sunset" says nothing of an operation that is not deprecated; add "deprecated: true" or remove it',
    '"x-replaced-by" says nothing of an operation that is not deprecated; add "deprecated: true" or remove it',
  ],
  [
    'a successor that there is not',
    'x-replaced-by: listBooks',
    '«x-replaced-by: findBooks',
    'there is no operation "findBooks"; name the operationId of the one that replaces this one',
  ],
  [
    'a successor that no link can lead to',
    'x-replaced-by: listBooks',
    '«x-replaced-by: getBook',
    'no link can lead to "getBook", whose path has parameters; name an operation without, or remove it',
  ],
  // security
  [
    'a scheme that is not declared',
    '  - Reader: []',
    '  - «Writer: []',
    'there is no security scheme "Writer"; add it to components.securitySchemes or correct the name',
  ],
  [
    'a scheme of another type',
    'Reader: { type: http, scheme: basic }',
    'Reader: { «type: apiKey, in: header, name: X-Key }',
    '"apiKey" is not honoured here; use http',
  ],
  [
    'a cookie for a key',
    'Reader: { type: http, scheme: basic }',
    'Reader: { «type: apiKey, in: cookie, name: key }',
    '"apiKey" is not honoured here; use http',
  ],
  [
    'a scheme without an implementation',
    'Reader: { type: http, scheme: basic }',
    '«Reader: { type: http, scheme: Digest }',
    'the security scheme "http digest" has no implementation; those there are: http basic',
  ],
  [
    'bearerFormat beside another scheme',
    'scheme: basic',
    '«scheme: basic, bearerFormat: JWT',
    '"basic" is not honoured here; bearerFormat goes with "bearer" only',
  ],
  [
    'a scheme without its type',
    'Reader: { type: http, scheme: basic }',
    '«Reader: { scheme: basic }',
    'Security Scheme Object needs "type"; add it',
  ],
  [
    'a scheme that is a text',
    'Reader: { type: http, scheme: basic }',
    '«Reader: basic',
    'this must be of type object, but is "basic"; change it',
  ],
  [
    'alternative schemes',
    'security:\n  - Reader: []',
    '«security:\n  - Reader: []\n  - Reader: []',
    'this has too many entries; name one scheme, for alternatives are not honoured',
  ],
  [
    'a combination of schemes',
    '  - Reader: []',
    '  - «{ Reader: [], «Writer: [] }',
    'this has too many entries; name one scheme, or say "security: []", for neither combinations nor optional security are honoured',
    'there is no security scheme "Writer"; add it to components.securitySchemes or correct the name',
  ],
  [
    'optional security',
    'security:\n  - Reader: []',
    'security:\n  - «{}',
    'this is empty; name one scheme, or say "security: []", for neither combinations nor optional security are honoured',
  ],
  [
    'scopes',
    '  - Reader: []',
    '  - «Reader: [write]',
    'this has too many entries; write [], for scopes and roles are not honoured',
  ],
  // parameters
  [
    'a cookie parameter',
    '      in: query',
    '      «in: cookie',
    '"cookie" is not honoured here; use one of: path, query, header',
  ],
  [
    'another style of parameters',
    '      in: query',
    '      in: query\n      «style: spaceDelimited',
    '"spaceDelimited" is not honoured here; use form',
  ],
  [
    'a list in one text',
    '      in: query',
    '      in: query\n      «explode: false',
    'false is not honoured here; use true',
  ],
  [
    'a path parameter that is optional',
    '        required: true\n        schema: { type: string }',
    '        «required: false\n        schema: { type: string }',
    'false is not honoured here; use true',
  ],
  [
    'a path parameter that does not say that it is required',
    'name: isbn\n        in: path\n        required: true\n',
    '«name: isbn\n        in: path\n',
    'Parameter Object in path needs "required"; add it',
  ],
  [
    'a parameter of media types',
    '    Limit:\n      name: limit\n      in: query\n      schema: { type: integer, default: 20 }',
    '    «Limit:\n      name: limit\n      in: query\n      «content: {}',
    'Parameter Object needs "schema"; add it',
    '"content" is not honoured in Parameter Object; remove or correct it',
  ],
  [
    'a parameter without a name',
    '      name: limit\n',
    '      «name: ""\n',
    'this is empty; give the parameter another name',
  ],
  [
    'a parameter with a name that objects have for something else',
    '      name: limit\n',
    '      «name: __proto__\n',
    '"__proto__" is not honoured here; give the parameter another name',
  ],
  [
    'a parameter given twice',
    '        - $ref: "#/components/parameters/Limit"',
    '        - $ref: "#/components/parameters/Limit"\n        - «$ref: "#/components/parameters/Limit"',
    'the parameter "limit" is given twice; remove one',
  ],
  [
    'a header parameter given twice',
    '        - $ref: "#/components/parameters/Limit"',
    '        - { in: header, name: X-A, schema: { type: string } }\n        - «{ in: header, name: x-a, schema: { type: string } }',
    'the parameter "x-a" is given twice; remove one',
  ],
  [
    'a header parameter by another spelling than the one of its path',
    '      - name: isbn\n        in: path\n        required: true\n        schema: { type: string }\n    get:\n',
    '      - { in: header, name: X-A, schema: { type: string } }\n      - name: isbn\n        in: path\n        required: true\n        schema: { type: string }\n    get:\n      parameters:\n        - «{ in: header, name: x-a, schema: { type: string } }\n',
    'the parameter "x-a" is given twice; remove one',
  ],
  [
    'a header parameter that says nothing',
    '        - $ref: "#/components/parameters/Limit"',
    '        - «{ in: header, name: Authorization, schema: { type: string } }',
    'a header parameter "Authorization" says nothing (OpenAPI 3.1, Parameter Object); remove it',
  ],
  [
    'a header parameter that no request can have',
    '        - $ref: "#/components/parameters/Limit"',
    '        - { in: header, «name: "X A", schema: { type: string } }',
    '"X A" is not honoured here; write a name that HTTP allows for a header field',
  ],
  [
    'an idempotency key that is kept nobody knows how long',
    '        - $ref: "#/components/parameters/Limit"',
    '        - «{ in: header, name: idempotency-key, schema: { type: string } }',
    'how long idempotency keys are kept is not said; add "x-retry-window-seconds" with a number',
  ],
  [
    'an idempotency key that is kept for longer than clocks go',
    '        - $ref: "#/components/parameters/Limit"',
    '        - { in: header, name: Idempotency-Key, «x-retry-window-seconds: 31536000001, schema: { type: string } }',
    'this must be <= 31536000000; write a number of seconds',
  ],
  [
    'an idempotency key that is not kept',
    '        - $ref: "#/components/parameters/Limit"',
    '        - { in: header, name: Idempotency-Key, «x-retry-window-seconds: 0, schema: { type: string } }',
    'this must be >= 1; write a number of seconds',
  ],
  [
    'a retry window of what is no idempotency key',
    '        - $ref: "#/components/parameters/Limit"',
    '        - { in: header, name: X-A, «x-retry-window-seconds: 60, schema: { type: string } }',
    '"x-retry-window-seconds" says something of the header "Idempotency-Key" only; remove it',
  ],
  [
    'an object as a parameter',
    'schema: { type: integer, default: 20 }',
    '«schema: { type: object }',
    'this does not travel as text in one way; give it one simple type, or an array of one: string, integer, number or boolean',
  ],
  [
    'a parameter that may be null',
    'schema: { type: integer, default: 20 }',
    '«schema: { type: [integer, "null"], default: 20 }',
    'this does not travel as text in one way; give it one simple type, or an array of one: string, integer, number or boolean',
  ],
  [
    'a list of lists as a parameter',
    'schema: { type: integer, default: 20 }',
    '«schema: { type: array, items: { type: array } }',
    'this does not travel as text in one way; give it one simple type, or an array of one: string, integer, number or boolean',
  ],
  [
    'a list in a path',
    '        required: true\n        schema: { type: string }',
    '        required: true\n        «schema: { type: array, items: { type: string } }',
    'this does not travel as text in one way; give it one simple type: string, integer, number or boolean',
  ],
  [
    'a required parameter with a default',
    'schema: { type: integer, default: 20 }',
    'required: true\n      schema: { type: integer, «default: 20 }',
    'the parameter is required, so that its default says nothing; remove one of them',
  ],
  [
    'both kinds of examples',
    '    Limit:\n      name: limit\n',
    '    «Limit:\n      name: limit\n      example: 1\n      examples: {}\n',
    '"example" and "examples" exclude each other; keep one of them',
  ],
  [
    'allowEmptyValue',
    '      in: query',
    '      in: query\n      «allowEmptyValue: true',
    '"allowEmptyValue" is not honoured in Parameter Object; remove or correct it',
  ],
  // bodies and responses
  [
    'a second media type',
    '          application/json:\n            schema:\n              $ref: "#/components/schemas/Book"\n      responses',
    '          application/json:\n            schema:\n              $ref: "#/components/schemas/Book"\n          «application/xml: {}\n      responses',
    '"application/xml" is not honoured in content; describe "application/json" alone, or leave the content out',
  ],
  [
    'another media type',
    '        application/json:\n          schema:\n            type: array',
    '        «text/csv:\n          schema:\n            type: array',
    '"text/csv" is not honoured in content; describe "application/json" alone, or leave the content out',
  ],
  [
    'an empty content',
    '      description: The books.\n      content:\n        application/json:\n          schema:\n            type: array\n            items:\n              $ref: "#/components/schemas/Book"',
    '      description: The books.\n      «content: {}',
    'this is empty; describe "application/json" alone, or leave the content out',
  ],
  [
    'an encoding',
    '        application/json:\n          schema:\n            type: array',
    '        application/json:\n          «encoding: {}\n          schema:\n            type: array',
    '"encoding" is not honoured in Media Type Object; remove or correct it',
  ],
  [
    'a body of what has none',
    '    get:\n      operationId: getBook',
    '    get:\n      «requestBody: { x-max-bytes: 1, content: { application/json: { schema: {} } } }\n      operationId: getBook',
    'the body of a GET request means nothing (RFC 9110, section 9.3); remove it',
  ],
  [
    'a body of which it is not said how large it may be',
    '      requestBody:\n        x-max-bytes: 65536\n',
    '      «requestBody:\n',
    'Request Body Object needs "x-max-bytes"; add it',
  ],
  [
    'a limit of bytes that is none',
    'x-max-bytes: 65536',
    '«x-max-bytes: 0',
    'this must be >= 1; write a number of bytes',
  ],
  [
    'a limit of bytes beyond any text',
    'x-max-bytes: 65536',
    '«x-max-bytes: 9007199254740993',
    'this must be <= 536870888; write a number of bytes',
  ],
  [
    'a default behind a part of a combination',
    'title: { type: string }',
    'title: { allOf: [{ type: string }, «$ref: "#/components/schemas/Title"] }\n    Title: { type: string, default: x }\n    Other:\n      type: object\n      properties:',
    'the default that this leads to says nothing here; remove it there, or state it beside "allOf"',
  ],
  [
    'a default of a whole body',
    '            schema:\n              $ref: "#/components/schemas/Book"\n      responses',
    '            «schema:\n              $ref: "#/components/schemas/Book"\n              default: { title: x }\n      responses',
    'a default says nothing here, where no property or parameter is left out; remove it',
  ],
  [
    'a default response',
    '        "204":\n          description: There is none.',
    '        «default:\n          description: There is none.',
    '"default" is not honoured in Responses Object; name each status that is answered, from "200" to "599"',
  ],
  [
    'a range of statuses',
    '        "204":\n          description: There is none.',
    '        «4XX:\n          description: There is none.',
    '"4XX" is not honoured in Responses Object; name each status that is answered, from "200" to "599"',
  ],
  [
    'an informational status',
    '        "204":\n          description: There is none.',
    '        «"100":\n          description: There is none.',
    '"100" is not honoured in Responses Object; name each status that is answered, from "200" to "599"',
  ],
  [
    'content where there is no body',
    '        "204":\n          description: There is none.',
    '        «"204":\n          description: There is none.\n          content: { application/json: { schema: {} } }',
    'an answer with the status 204 has no body (RFC 9110, section 15); remove the content',
  ],
  [
    'a response without a description',
    '        "204":\n          description: There is none.',
    '        «"204": {}',
    'Response Object needs "description"; add it',
  ],
  [
    'links',
    '        "204":\n          description: There is none.',
    '        "204":\n          description: There is none.\n          «links: {}',
    '"links" is not honoured in Response Object; remove or correct it',
  ],
  [
    'an operation without any response',
    '      responses:\n        "200":\n          description: The book.\n        "204":\n          description: There is none.\n',
    '      «responses: {}\n',
    'this is empty; name each status that is answered, from "200" to "599"',
  ],
  [
    'a header that HTTP does not allow',
    '            X-Shelf:',
    '            «X Shelf:',
    '"X Shelf" is not honoured in headers; name a header field, and not Content-Type, which follows from the content',
  ],
  [
    'a Content-Type of its own',
    '            X-Shelf:',
    '            «Content-Type:',
    '"Content-Type" is not honoured in headers; name a header field, and not Content-Type, which follows from the content',
  ],
  [
    'a header that is no text',
    'schema: { type: integer }\n',
    '«schema: { type: object }\n',
    'this does not travel as text in one way; give it one simple type: string, integer, number or boolean',
  ],
  [
    'a header given twice',
    '            X-Shelf:\n              schema: { type: integer }',
    '            X-Shelf:\n              schema: { type: integer }\n            «x-shelf:\n              schema: { type: integer }',
    'the header "x-shelf" is given twice; remove one',
  ],
  [
    'a header that frames the answer, and is stated',
    '            X-Shelf:\n              schema: { type: integer }',
    '            «Transfer-Encoding:\n              schema: { type: string, const: gzip }',
    'what "Transfer-Encoding" says is for the server to find out; remove its const or enum',
  ],
  [
    'a header of the lifecycle that is stated',
    '            X-Shelf:\n              schema: { type: integer }',
    '            «deprecation:\n              schema: { type: string, enum: ["@1"] }',
    'what "deprecation" says is for the server to find out; remove its const or enum',
  ],
  [
    'a header that cannot be said',
    'schema: { type: integer }\n',
    '«schema: { type: string, const: "Łódź" }\n',
    'a header field cannot say "Łódź"; use letters, digits and signs of ASCII',
  ],
  [
    'a header of another style',
    'schema: { type: integer }\n',
    'schema: { type: integer }\n              «style: form\n',
    '"form" is not honoured here; use simple',
  ],
  // references
  [
    'a reference that leads nowhere',
    '        - $ref: "#/components/parameters/Limit"',
    '        - «$ref: "#/components/parameters/Limits"',
    '"#/components/parameters/Limits" leads nowhere; add what it names or correct it',
  ],
  [
    'a reference to another kind of thing',
    '        - $ref: "#/components/parameters/Limit"',
    '        - «$ref: "#/components/schemas/Book"',
    '"#/components/schemas/Book" is not honoured here; refer to a component of this document, as "#/components/parameters/NAME"',
  ],
  [
    'a reference to another file',
    '        - $ref: "#/components/parameters/Limit"',
    '        - «$ref: "./parameters.yaml#/Limit"',
    '"./parameters.yaml#/Limit" is not honoured here; refer to a component of this document, as "#/components/parameters/NAME"',
  ],
  [
    'a reference to itself',
    '  schemas:\n',
    '  schemas:\n    A: { «$ref: "#/components/schemas/A" }\n',
    '"#/components/schemas/A" leads in a circle; let it lead to something that does not refer back to it',
  ],
  [
    'references in a circle',
    '  schemas:\n',
    '  schemas:\n    A: { «$ref: "#/components/schemas/B" }\n    B: { «$ref: "#/components/schemas/A" }\n',
    '"#/components/schemas/B" leads in a circle; let it lead to something that does not refer back to it',
    '"#/components/schemas/A" leads in a circle; let it lead to something that does not refer back to it',
  ],
  [
    'a schema that combines itself',
    '  schemas:\n',
    '  schemas:\n    A: { anyOf: [{ type: string }, { allOf: [{ «$ref: "#/components/schemas/A" }] }] }\n',
    '"#/components/schemas/A" leads in a circle; let it lead to something that does not refer back to it',
  ],
  [
    'a component with an odd name',
    '  schemas:\n',
    '  schemas:\n    «a b: {}\n',
    '"a b" is not honoured in components.schemas; make names of letters, digits, ".", "_" and "-"',
  ],
  [
    'components of a kind that is not honoured',
    'components:\n',
    'components:\n  «examples: {}\n',
    '"examples" is not honoured in Components Object; remove or correct it',
  ],
  [
    'keywords beside a reference',
    '              $ref: "#/components/schemas/Book"\n      responses',
    '              $ref: "#/components/schemas/Book"\n              «minProperties: 1\n      responses',
    '"minProperties" is not honoured in Schema Object with a $ref; remove or correct it',
  ],
  // schemas
  [
    'a schema that is true or false',
    'pages: { type: integer, minimum: 1 }',
    '«pages: true',
    'this must be of type object, but is true; change it',
  ],
  [
    'a schema that is a text',
    'pages: { type: integer, minimum: 1 }',
    '«pages: integer',
    'this must be of type object, but is "integer"; change it',
  ],
  [
    'a keyword that is not honoured',
    'pages: { type: integer, minimum: 1 }',
    'pages: { «not: { type: integer } }',
    '"not" is not honoured in Schema Object; remove or correct it',
  ],
  [
    'readOnly',
    'pages: { type: integer, minimum: 1 }',
    'pages: { type: integer, «readOnly: true }',
    '"readOnly" is not honoured in Schema Object; remove or correct it',
  ],
  [
    'nullable, of OpenAPI 3.0',
    'pages: { type: integer, minimum: 1 }',
    'pages: { type: integer, «nullable: true }',
    '"nullable" is not honoured in Schema Object; remove or correct it',
  ],
  [
    'a mistyped keyword',
    'pages: { type: integer, minimum: 1 }',
    'pages: { type: integer, «minumum: 1 }',
    '"minumum" is not honoured in Schema Object (did you mean "minimum"?); remove or correct it',
  ],
  [
    'a keyword of another type',
    'pages: { type: integer, minimum: 1 }',
    'pages: { type: string, «minimum: 1 }',
    '"minimum" says something of integer and number only; add that type or remove the keyword',
  ],
  [
    'a keyword without a type',
    'pages: { type: integer, minimum: 1 }',
    'pages: { «minimum: 1 }',
    '"minimum" says something of integer and number only; add that type or remove the keyword',
  ],
  [
    'a type that is none',
    'pages: { type: integer, minimum: 1 }',
    'pages: { «type: int }',
    '"int" is not honoured here; use one of: null, boolean, object, array, number, integer, string',
  ],
  [
    'a type given twice',
    'pages: { type: integer, minimum: 1 }',
    'pages: { «type: [integer, integer] }',
    'this has an entry twice; name each type once',
  ],
  [
    'an unknown format',
    'pages: { type: integer, minimum: 1 }',
    'pages: { type: integer, «format: int16 }',
    'the format "int16" is not honoured for this type; use one of: int32, int64',
  ],
  [
    'a format of another type',
    'pages: { type: integer, minimum: 1 }',
    'pages: { type: string, «format: int64 }',
    'the format "int64" is not honoured for this type; use one of: byte, date, date-time, duration, email, hostname, ipv4, ipv6, json-pointer, password, regex, time, uri, uri-reference, uri-template, uuid',
  ],
  [
    'a format without a type',
    'pages: { type: integer, minimum: 1 }',
    'pages: { «format: uuid }',
    'the format "uuid" is not honoured for this type; remove it',
  ],
  [
    'a format of a type that has none',
    'pages: { type: integer, minimum: 1 }',
    'pages: { type: boolean, «format: date }',
    'the format "date" is not honoured for this type; remove it',
  ],
  [
    'a format of several types',
    'pages: { type: integer, minimum: 1 }',
    'pages: { «type: [string, integer], format: uuid }',
    'the format "uuid" is of one type, and there are several; name one, or one and "null"',
  ],
  [
    'a type that only objects of JavaScript have',
    'title: { type: string }',
    'title: { «type: constructor, «format: uuid }',
    '"constructor" is not honoured here; use one of: null, boolean, object, array, number, integer, string',
    'the format "uuid" is not honoured for this type; remove it',
  ],
  [
    'a pattern that is one only where Unicode does not matter',
    'title: { type: string }',
    "title: { type: string, «pattern: '[\\w-.]' }",
    '"[\\\\w-.]" is no regular expression; write one that JavaScript takes with the flag "u"',
  ],
  [
    'a pattern that is no regular expression',
    'title: { type: string }',
    'title: { type: string, «pattern: "(" }',
    '"(" is no regular expression; write one that JavaScript takes with the flag "u"',
  ],
  [
    'a limit that is no number',
    'pages: { type: integer, minimum: 1 }',
    'pages: { type: integer, «minimum: one }',
    'this must be of type number, but is "one"; change it',
  ],
  [
    'a length below zero',
    'title: { type: string }',
    'title: { type: string, «minLength: -1 }',
    'this must be >= 0; write how many',
  ],
  [
    'a multiple of nothing',
    'pages: { type: integer, minimum: 1 }',
    'pages: { type: integer, «multipleOf: 0 }',
    'this must be > 0; write a number above 0',
  ],
  ['an empty enum', 'title: { type: string }', 'title: { type: string, «enum: [] }', 'this is empty; list the values'],
  [
    'an enum of another type',
    'title: { type: string }',
    'title: { type: string, enum: [one, «2] }',
    '2 is not of type string; correct one of them',
  ],
  [
    'a const of another type',
    'pages: { type: integer, minimum: 1 }',
    'pages: { type: integer, «const: 1.5 }',
    '1.5 is not of type integer; correct one of them',
  ],
  [
    'a const that is null',
    'pages: { type: integer, minimum: 1 }',
    'pages: { type: string, «const: null }',
    'null is not of type string; correct one of them',
  ],
  [
    'an object in an enum',
    'pages: { type: integer, minimum: 1 }',
    'pages: { enum: [1, «{ a: 1 }] }',
    'an object or array cannot be listed; describe it by "properties" or "items"',
  ],
  [
    'a list as a const',
    'pages: { type: integer, minimum: 1 }',
    'pages: { type: array, «const: [1] }',
    'an object or array cannot be listed; describe it by "properties" or "items"',
  ],
  [
    'a count that no number holds',
    'title: { type: string }',
    'title: { type: string, «minLength: 9007199254740993 }',
    'this must be <= 9007199254740991; write how many',
  ],
  [
    'numbers that JSON does not have',
    'pages: { type: integer, minimum: 1 }',
    'pages: { type: number, multipleOf: «.inf, maximum: «.NaN, minimum: «-1e999 }',
    '.inf is no number of JSON; write one that is, or put it in quotes',
    '.NaN is no number of JSON; write one that is, or put it in quotes',
    '-1e999 is no number of JSON; write one that is, or put it in quotes',
  ],
  [
    'a listed number that is an integer beyond what numbers hold',
    'pages: { type: integer, minimum: 1 }',
    'pages: { type: number, enum: [1, «1.0e20] }',
    'an integer beyond 2^53 cannot be listed; use "minimum" and "maximum"',
  ],
  [
    'a listed integer that no number holds',
    'pages: { type: integer, minimum: 1 }',
    'pages: { type: integer, format: int64, enum: [1, «9007199254740993] }',
    'an integer beyond 2^53 cannot be listed; use "minimum" and "maximum"',
  ],
  [
    'a default that is not valid',
    'schema: { type: integer, default: 20 }',
    'schema: { type: integer, maximum: 10, «default: 20 }',
    'the default is not valid against its own schema; change one of them',
  ],
  [
    'a default beyond the format',
    'schema: { type: integer, default: 20 }',
    'schema: { type: integer, format: int64, «default: 9223372036854775808 }',
    'the default is not valid against its own schema; change one of them',
  ],
  [
    'a default without an end',
    '  schemas:\n',
    '  schemas:\n    A: { type: object, «default: {}, properties: { a: { $ref: "#/components/schemas/A" } } }\n',
    'the default brings itself in again, without an end; remove one of its properties',
  ],
  [
    'a default beside a mistake',
    'pages: { type: integer, minimum: 1 }',
    'pages: { type: object, default: {}, «properties: null }',
    'this must be of type object, but is null; change it',
  ],
  [
    'a default where nothing is left out',
    '            items:\n              $ref: "#/components/schemas/Book"\n  schemas',
    '            «items: { type: string, default: a }\n  schemas',
    'a default says nothing here, where no property or parameter is left out; remove it',
  ],
  [
    'a default of a required property',
    'title: { type: string }',
    'title: { type: string, «default: a }',
    '"title" is required, so that its default says nothing; remove one of them',
  ],
  [
    'a required property that is not allowed',
    'required: [title]',
    'required: [«titel]',
    '"titel" is required but not allowed (did you mean "title"?); add it to the properties or correct it',
  ],
  [
    'a required property given twice',
    'required: [title]',
    '«required: [title, title]',
    'this has an entry twice; name each property once',
  ],
  [
    'a property that every object has in JavaScript',
    'title: { type: string }',
    'title: { type: string }\n        «__proto__: { type: string }',
    '"__proto__" is not honoured in properties; choose another name',
  ],
  [
    'an empty combination',
    'pages: { type: integer, minimum: 1 }',
    'pages: { «oneOf: [] }',
    'this is empty; list the schemas',
  ],
]

for (const [what, from, to, ...says] of refusals) {
  t.test(`${what} is refused`, async (t) => {
    const { source, places } = unmark(edit(library, from, to))
    const lines = refusal(t, { source, handlers: handlersFor(source), authenticators })
    t.strictSame(
      lines,
      says.map((message, index) => `${places[index]}: ${message}`),
    )
  })
}

t.test('the document without an edit is accepted', async (t) => {
  t.strictSame(refusal(t, { source: library, handlers: handlersFor(library), authenticators }), [])
})

t.test('several mistakes are named at once, in the order of the lines', async (t) => {
  const edits = [
    ['pages: { type: integer, minimum: 1 }', 'pages: { type: string, «minimum: 1, «maxmum: 5 }'],
    ['in: query', '«in: cookie'],
    ['scheme: basic', 'scheme: digest'],
    ['x-sunset: 2027-01-01', '«x-sunset: 2025-01-01'],
    ['operationId: addBook', '«operationId: listBooks'],
    ['https://library.example/v1', 'https://library.example/v1/'],
    ['title: Library', '«x-title: Library'],
  ] as const
  const edited = edits.reduce((text, [from, to]) => edit(text, from, to), library)
  const marked = edit(edit(edited, 'info:', '«info:'), '  - url: ', '  - «url: ').replace('    Reader:', '    «Reader:')
  const { source, places } = unmark(marked)
  const says = [
    'Info Object needs "title"; add it',
    '"x-title" is not honoured in Info Object (did you mean "title"?); remove or correct it',
    '"https://library.example/v1/" is no plain http(s) address or path without a trailing slash; correct it',
    'the operationId "listBooks" is given twice; choose another one',
    'the sunset 2025-01-01 is earlier than the deprecation 2026-01-01; change one of them',
    'the security scheme "http digest" has no implementation; those there are: http basic',
    '"cookie" is not honoured here; use one of: path, query, header',
    '"minimum" says something of integer and number only; add that type or remove the keyword',
    '"maxmum" is not honoured in Schema Object (did you mean "maximum"?); remove or correct it',
  ]
  const lines = refusal(t, { source, handlers: handlersFor(source), authenticators })
  t.strictSame(
    lines,
    says.map((message, index) => `${places[index]}: ${message}`),
  )
})

t.test('handlers and operations that do not go together are refused', async (t) => {
  const { source, places } = unmark(
    edit(edit(library, 'operationId: addBook', '«operationId: addBook'), 'paths:\n', '«paths:\n'),
  )
  t.strictSame(refusal(t, { source, handlers: { listBooks: idle, burnBook: idle, getBook: idle }, authenticators }), [
    `${places[0]}: no operation asks for the handler "burnBook"; add one or remove the handler`,
    `${places[1]}: "addBook" has no handler; write one or remove the operation`,
  ])
})

t.test('without any authenticator, a document that asks for one is refused', async (t) => {
  const { source, places } = unmark(edit(library, 'Reader: {', '«Reader: {'))
  t.strictSame(refusal(t, { source, handlers: handlersFor(source) }), [
    `${places[0]}: the security scheme "http basic" has no implementation; those there are: none`,
  ])
})

t.test('a path of the document where the program has something else is refused', async (t) => {
  const reserved = ['/', '/health', '/docs']
  for (const [at, path, other] of [
    ['/v1', '/books', undefined],
    ['', '/healthy', undefined],
    ['', '/books/docs', undefined],
    ['', '/health', '/health'],
    ['', '/docs/static/{file}', '/docs'],
    ['', '/{shelf}/first', '/health'],
    ['', '/', '/'],
  ] as const) {
    const parameters = path.includes('{')
      ? `\n    parameters:\n      - { name: ${/{(.*)}/.exec(path)?.[1]}, in: path, required: true, schema: { type: string } }`
      : ''
    const moved = edit(
      edit(library, '      x-replaced-by: listBooks\n', ''),
      '  /books:\n',
      `  «${path}:${parameters}\n`,
    )
    const { source, places } = unmark(edit(moved, 'https://library.example/v1', `https://library.example${at}`))
    t.strictSame(
      refusal(t, { source, handlers: handlersFor(source), authenticators, reserved }),
      other === undefined ? [] : [`${places[0]}: the service has something else at "${other}"; choose another path`],
    )
  }
})

t.test('error answers in which what the program sends has no place are refused', async (t) => {
  const { source, places } = unmark(
    edit(
      library,
      '        "204":\n          description: There is none.',
      `        «"404":
          description: There is none.
          content:
            application/json:
              schema: { type: object, required: [error, hint], properties: { error: { type: string }, hint: { type: string } } }`,
    ),
  )
  const refusalWith = (errorBody: (status: number) => object) =>
    refusal(t, { source, handlers: handlersFor(source), authenticators, errorBody })
  t.strictSame(
    refusalWith((status) => ({ error: 'none', hint: `${status}` })),
    [],
  )
  t.strictSame(
    refusalWith(() => ({ error: 'none' })),
    [
      `${places[0]}: the error answers of the service are not like this: body.hint is required, but the answer lacks it; change the schema`,
    ],
  )
})

t.test('a scheme that no operation asks for needs no implementation', async (t) => {
  const source = edit(library, 'security:\n  - Reader: []\n', '')
  t.strictSame(refusal(t, { source, handlers: handlersFor(source) }), [])
})

t.test('a property may be required without being described, where the object is open', async (t) => {
  const source = edit(
    edit(library, 'required: [title]', 'required: [title, author]'),
    'additionalProperties: false',
    '',
  )
  t.strictSame(refusal(t, { source, handlers: handlersFor(source), authenticators }), [])
})

t.test('a sunset on the day of the deprecation, and one put aside, are accepted', async (t) => {
  const sameDay = edit(library, 'x-sunset: 2027-01-01', 'x-sunset: 2026-01-01')
  const aside = edit(library, 'deprecated: true', 'deprecated: false')
  for (const source of [sameDay, aside]) {
    t.strictSame(refusal(t, { source, handlers: handlersFor(source), authenticators }), [])
  }
})

t.test('addresses from outside are held to the same, and the message says which to correct', async (t) => {
  const variables = `
  - url: "{home}"
    variables: { home: { default: https://library.example/v1 } }
  - url: "{mirror}"
    variables: { mirror: { default: https://mirror.example/v1 } }`
  const { source, places } = unmark(
    edit(library, 'servers:\n  - url: https://library.example/v1', `«servers:${variables}`),
  )
  const refusalWith = (servers: Record<string, string | undefined>) =>
    refusal(t, { source, handlers: handlersFor(source), authenticators, servers })
  t.strictSame(refusalWith({}), [])
  t.strictSame(refusalWith({ mirror: 'https://other.example/v1', of: undefined }), [])
  t.strictSame(refusalWith({ of: 'no use', base: 'nor this' }), [
    `${places[0]}: no server has {of} and {base}, for which OF and BASE stands; add it or leave that out`,
  ])
  t.strictSame(refusalWith({ mirror: 'https://other.example' }), [
    `${places[0]}: the servers lead to different paths, /v1 and /; let all end in one (HOME and MIRROR fill them in)`,
  ])
  t.strictSame(refusalWith({ home: 'library.example', mirror: 'https:///v1' }), [
    '6:5: "library.example" is no plain http(s) address or path without a trailing slash; correct it (HOME and MIRROR fill them in)',
    '8:5: "https:///v1" is no plain http(s) address or path without a trailing slash; correct it (HOME and MIRROR fill them in)',
  ])
})

t.test('a file that is no object is refused', async (t) => {
  for (const source of ['', '# nothing', '[]', '"3.1.0"', 'null']) {
    t.strictSame(refusal(t, { source, handlers: {} }), [
      '1:1: this is no OpenAPI document; begin it with "openapi: 3.1.0"',
    ])
  }
})

t.test('a file that is not UTF-8 is refused', async (t) => {
  const source = Buffer.from(edit(library, 'title: Library', 'title: Bücherei'), 'latin1')
  t.strictSame(refusal(t, { source, handlers: {} }), ['1:1: the file is not UTF-8; save it in that encoding'])
})

t.test('a file that is not there is refused', async (t) => {
  const file = join(temporaryFolder(t), 'none.yaml')
  const message = `${relative(process.cwd(), file)}:1:1: the file cannot be read (ENOENT); check that it is there and readable`
  t.throws(() => loadDocument(file), { name: 'DocumentError', message })
})

t.test('aliases that multiply beyond measure are refused', async (t) => {
  const levels = Array.from({ length: 9 }, (_, level) => `l${level + 1}: &l${level + 1} [${`*l${level},`.repeat(10)}]`)
  t.strictSame(refusal(t, { source: ['l0: &l0 lol', ...levels].join('\n'), handlers: {} }), [
    '1:1: the aliases multiply beyond measure; write out what they stand for',
  ])
})

t.test('a mistake is named where it stands, through aliases and whatever the names are', async (t) => {
  const source = edit(
    library,
    'X-Shelf:\n              schema: { type: integer }',
    'X-Shelf: &shelf\n              schema: { type: integer }',
  )
  const aliased = edit(
    source,
    '        "204":\n          description: There is none.',
    '        "204":\n          description: There is none.\n          headers: { X-A~b: *shelf, X-Cart: *shelf }',
  )
  const { source: marked, places } = unmark(
    aliased.replace('schema: { type: integer }\n', '«schema: { type: object }\n'),
  )
  t.strictSame(refusal(t, { source: marked, handlers: handlersFor(marked), authenticators }), [
    `${places[0]}: this does not travel as text in one way; give it one simple type: string, integer, number or boolean`,
  ])
})

/** A handler for each operationId. */
function handlersFor(source: string) {
  return Object.fromEntries([...source.matchAll(/operationId: (.*)/g)].map(([, id]) => [id, idle]))
}

/** Replaces what stands in the text once. */
function edit(text: string, from: string, to: string): string {
  const parts = text.split(from)
  if (parts.length !== 2) throw new Error(`${JSON.stringify(from)} is in the document ${parts.length - 1} times`)
  return parts.join(to)
}

/** The text without its marks, and the place of each as `LINE:COL`. */
function unmark(text: string): { source: string; places: string[] } {
  const [first = '', ...rest] = text.split('«')
  const places: string[] = []
  let source = first
  for (const part of rest) {
    const lines = source.split('\n')
    places.push(`${lines.length}:${String(lines.at(-1)).length + 1}`)
    source += part
  }
  return { source, places }
}
