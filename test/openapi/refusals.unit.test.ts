/**
 * The documents that the OpenAPI layer refuses. Each entry is an edit of one small document, which is served as it is; in the
 * edited text, « marks each place that is to be named, and is taken out again.
 */
import { constants } from 'node:buffer'
import { join, relative } from 'node:path'
import t from 'tap'
import { computeDigests, loadDocument } from '../../src/openapi/index.ts'
import { temporaryFolder } from '../helpers/temporary.ts'
import { getRefusal, idle, load, nobody } from './layer.ts'

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
        default:
          $ref: "#/components/responses/Failure"
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
        default:
          $ref: "#/components/responses/Failure"
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
        default:
          $ref: "#/components/responses/Failure"
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
    Failure:
      description: What is wrong.
      content:
        application/json:
          schema: { type: object }
  schemas:
    Shelf:
      properties: { of: { type: string, x-extensible-enum: [a, b] }, next: { $ref: "#/components/schemas/Shelf" } }
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

const security = { Reader: nobody }

/** What stands in the document, what is put in its place, and what is said of each mark in it, in their order. */
type Refusal = readonly [what: string, from: string, to: string, ...says: string[]]

const refusals: readonly Refusal[] = [
  // YAML
  [
    'a tab for indentation',
    '  title: Library',
    '«\ttitle: ««Library',
    'invalid YAML: Tabs are not allowed as indentation; correct the syntax',
    'invalid YAML: Nested mappings are not allowed in compact mappings; correct the syntax',
    'invalid YAML: Implicit keys need to be on a single line; correct the syntax',
  ],
  [
    'an unclosed bracket',
    'tags: [Books]\n      parameters',
    'tags: [Books\n      «parameters',
    'invalid YAML: Flow sequence in block collection must be sufficiently indented and end with a ]; correct the syntax',
  ],
  [
    'a name given twice in an object',
    '  version: 1.0.0',
    '  version: 1.0.0\n  «version: 1.0.1',
    'invalid YAML: Map keys must be unique; correct the syntax',
  ],
  [
    'a second document in the file',
    'components:\n',
    '«---\ncomponents:\n',
    'a second document begins here; keep one in the file',
  ],
  [
    'an alias without an anchor',
    'title: Library',
    'title: «*name',
    'the alias "*name" has no anchor before it; write out the value',
  ],
  [
    'an alias within its own anchor',
    'tags: [Books]',
    'tags: &tags [Books, «*tags]',
    'the alias "*tags" is within its own anchor; write out the value',
  ],
  [
    'a tag of YAML that JSON has no value for',
    'title: Library',
    'title: «!!binary aGk=',
    'invalid YAML: Unresolved tag: tag:yaml.org,2002:binary; correct the syntax',
  ],
  [
    'a key that is not a string',
    'title: Library',
    'title: Library\n  ? «[a, b]\n  : c',
    'this key is a collection; make it a string',
  ],
  // document
  [
    'OpenAPI 3.0',
    'openapi: 3.1.0',
    '«openapi: 3.0.3',
    '"3.0.3" is not supported here; write the document in OpenAPI 3.1 and "3.1.0" here',
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
    'an empty Info Object',
    'info:\n  title: Library\n  version: 1.0.0\n',
    '«info: {}\n',
    'Info Object needs "title" and "version"; add them',
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
    '"sumary" is not supported in Info Object (did you mean "summary"?); remove or correct it',
  ],
  [
    'another dialect of JSON Schema',
    'tags:\n',
    '«jsonSchemaDialect: https://json-schema.org/draft/2020-12/schema\ntags:\n',
    '"jsonSchemaDialect" is not supported in OpenAPI Object; remove or correct it',
  ],
  [
    'a license by identifier and url',
    '  version: 1.0.0',
    '  version: 1.0.0\n  «license: { name: MIT, identifier: MIT, url: https://x.example }',
    '"identifier" and "url" exclude each other; keep one of them',
  ],
  ['an invalid URL', 'title: Library', 'title: Library\n  «termsOfService: "a b"', '"a b" is not a URL; write a URL'],
  [
    'an invalid email address',
    'title: Library',
    'title: Library\n  contact: { «email: librarian }',
    '"librarian" is not an email address; write an email address such as name@example.com',
  ],
  [
    'a tag given twice',
    '  - name: Books',
    '  - name: Books\n  - «name: Books',
    'the tag "Books" is declared twice; remove one',
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
    '"ftp://library.example" is not an http(s) URL or path without query and trailing slash; correct it',
  ],
  [
    'an address with a query',
    'url: https://library.example/v1',
    '«url: https://library.example/v1?a=b',
    '"https://library.example/v1?a=b" is not an http(s) URL or path without query and trailing slash; correct it',
  ],
  [
    'an address with a trailing slash',
    'url: https://library.example/v1',
    '«url: https://library.example/v1/',
    '"https://library.example/v1/" is not an http(s) URL or path without query and trailing slash; correct it',
  ],
  [
    'an address with credentials',
    'url: https://library.example/v1',
    '«url: https://me:secret@library.example/v1',
    '"https://me:secret@library.example/v1" is not an http(s) URL or path without query and trailing slash; correct it',
  ],
  [
    'an address with a host that is a variable which is not declared',
    'url: https://library.example/v1',
    '«url: "https://{region}.library.example/v1"',
    '"https://{region}.library.example/v1" is not an http(s) URL or path without query and trailing slash; correct it',
  ],
  [
    'an address with a variable that is not declared',
    'url: https://library.example/v1',
    '«url: "{base}"',
    '"{base}" is not an http(s) URL or path without query and trailing slash; correct it',
  ],
  [
    'servers with different paths',
    'servers:\n',
    '«servers:\n  - url: /v2\n',
    'the servers have different paths, /v2 and /v1; use the same path',
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
    'a variable whose default is not one of its values',
    'url: https://library.example/v1',
    'url: "{base}"\n    variables: { base: { «default: /v1, enum: [/v2] } }',
    '"/v1" is not one of the values in "enum"; add it there or correct it',
  ],
  [
    'servers that are not a list',
    'servers:\n  - url: https://library.example/v1',
    '«servers: /v1',
    'this must be of type array, but is "/v1"; change it',
  ],
  // paths
  [
    'a path without a slash at the beginning',
    '  /books:\n',
    '  «books:\n',
    '"books" is not supported in Paths Object; begin it with "/", and make each segment plain text or one {parameter}, named with letters, digits and "_"',
  ],
  [
    'a path with an escape',
    '  /books:\n',
    '  «/b%6Foks:\n',
    '"/b%6Foks" is not supported in Paths Object; begin it with "/", and make each segment plain text or one {parameter}, named with letters, digits and "_"',
  ],
  [
    'a path with a parameter among text',
    '  /books/{isbn}:\n',
    '  «/books/isbn-{isbn}:\n',
    '"/books/isbn-{isbn}" is not supported in Paths Object; begin it with "/", and make each segment plain text or one {parameter}, named with letters, digits and "_"',
  ],
  [
    'a path with a trailing slash',
    '  /books:\n',
    '  «/books/:\n',
    '"/books/" is not supported in Paths Object; begin it with "/", and make each segment plain text or one {parameter}, named with letters, digits and "_"',
  ],
  [
    'a path with dots',
    '  /books:\n',
    '  «/../books:\n',
    '"/../books" is not supported in Paths Object; begin it with "/", and make each segment plain text or one {parameter}, named with letters, digits and "_"',
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
    'the path has the parameter "isbn" twice; rename one of them',
  ],
  [
    'a path parameter by another name than in the path',
    'name: isbn\n        in: path\n        required: true\n        schema: { type: string }\n    get:',
    '«name: number\n        in: path\n        required: true\n        schema: { type: string }\n    «get:',
    'the path has no parameter "number"; remove it or add {number} to the path',
    'the path parameter "isbn" is not declared; add it to the parameters',
  ],
  [
    'a reference in place of a path',
    '  /books:\n',
    '  /other:\n    «$ref: "#/paths/~1books"\n  /books:\n',
    '"$ref" is not supported in Path Item Object; remove or correct it',
  ],
  [
    'a method that is not supported',
    '  /books:\n',
    '  /books:\n    «head: {}\n',
    '"head" is not supported in Path Item Object; remove or correct it',
  ],
  // operations
  [
    'an operationId given twice',
    'operationId: addBook',
    '«operationId: listBooks',
    'the operationId "listBooks" is used twice; choose another one',
  ],
  [
    'an operation without responses',
    '    get:\n      operationId: listBooks\n      tags: [Books]\n      parameters:\n        - $ref: "#/components/parameters/Limit"\n      responses:\n        "200":\n          $ref: "#/components/responses/Books"\n        default:\n          $ref: "#/components/responses/Failure"\n',
    '    «get:\n      operationId: listBooks\n',
    'Operation Object needs "responses"; add it',
  ],
  [
    'an operationId that is __proto__',
    'operationId: addBook',
    '«operationId: __proto__',
    '"__proto__" is not supported here; choose another name',
  ],
  [
    'operationIds whose types have the same name',
    'operationId: addBook',
    '«operationId: list-books',
    'the operationId "list-books" gives types the same names as "listBooks"; choose another one',
  ],
  [
    'a misspelt extension of this service',
    'deprecated: true',
    'deprecated: true\n      «x-sunsets: 2027-01-01',
    '"x-sunsets" is not supported in Operation Object (did you mean "x-sunset"?); remove or correct it',
  ],
  [
    'an unknown stability level',
    'operationId: addBook',
    'operationId: addBook\n      «x-stability-level: alpha',
    '"alpha" is not supported here; use one of: experimental, beta, stable',
  ],
  // lifecycle
  [
    'a sunset before the deprecation',
    'x-sunset: 2027-01-01',
    '«x-sunset: 2025-01-01',
    'the sunset 2025-01-01 is earlier than the deprecation 2026-01-01; change one of them',
  ],
  [
    'a sunset that is not a date',
    'x-sunset: 2027-01-01',
    '«x-sunset: 1 January 2027',
    '"1 January 2027" is not a date; write it as YYYY-MM-DD',
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
    'the deprecation has no date; add "x-deprecated-since" with it, as YYYY-MM-DD',
  ],
  [
    'a lifecycle on an operation that is not deprecated',
    '      deprecated: true\n      x-deprecated-since: 2026-01-01\n      x-sunset: 2027-01-01\n      x-replaced-by: listBooks',
    '      «x-deprecated-since: 2026-01-01\n      «x-sunset: 2027-01-01\n      «x-replaced-by: listBooks',
    '"x-deprecated-since" has no effect on an operation that is not deprecated; add "deprecated: true" or remove it',
    '"x-sunset" has no effect on an operation that is not deprecated; add "deprecated: true" or remove it',
    '"x-replaced-by" has no effect on an operation that is not deprecated; add "deprecated: true" or remove it',
  ],
  [
    'a successor that does not exist',
    'x-replaced-by: listBooks',
    '«x-replaced-by: findBooks',
    'the operation "findBooks" does not exist; write the operationId of the replacement',
  ],
  [
    'a successor that no link can lead to',
    'x-replaced-by: listBooks',
    '«x-replaced-by: getBook',
    'a link cannot lead to "getBook", whose path has parameters; name an operation without, or remove it',
  ],
  // security
  [
    'a scheme that is not declared',
    '  - Reader: []',
    '  - «Writer: []',
    'the security scheme "Writer" does not exist; add it to components.securitySchemes or correct the name',
  ],
  [
    'a scheme of another type',
    'Reader: { type: http, scheme: basic }',
    'Reader: { «type: openIdConnect }',
    '"openIdConnect" is not supported here; use one of: http, apiKey',
  ],
  [
    'an unknown place for an API key',
    'Reader: { type: http, scheme: basic }',
    'Reader: { type: apiKey, «in: body, name: key }',
    '"body" is not supported here; use one of: header, query, cookie',
  ],
  [
    'a scheme without an implementation',
    'Reader: { type: http, scheme: basic }',
    'Reader: { type: http, «scheme: Digest }',
    '"Digest" is not supported here; use "bearer" or "basic"',
  ],
  [
    'bearerFormat beside another scheme',
    'scheme: basic',
    'scheme: basic, «bearerFormat: JWT',
    '"bearerFormat" applies to the scheme "bearer" only; remove it',
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
    'a combination with a scheme that is not there',
    '  - Reader: []',
    '  - { Reader: [], «Writer: [] }',
    'the security scheme "Writer" does not exist; add it to components.securitySchemes or correct the name',
  ],
  [
    'a scope with a space',
    '  - Reader: []',
    '  - Reader: [«"write all"]',
    '"write all" is not supported here; use printable ASCII characters without spaces, quotes and backslashes',
  ],
  // parameters
  [
    'a cookie parameter',
    '      in: query',
    '      «in: cookie',
    '"cookie" is not supported here; use one of: path, query, header',
  ],
  [
    'another style of parameters',
    '      in: query',
    '      in: query\n      «style: spaceDelimited',
    '"spaceDelimited" is not supported here; use form',
  ],
  [
    'a list in one text',
    '      in: query',
    '      in: query\n      «explode: false',
    'false is not supported here; use true',
  ],
  [
    'a path parameter that is optional',
    '        required: true\n        schema: { type: string }',
    '        «required: false\n        schema: { type: string }',
    'false is not supported here; use true',
  ],
  [
    'a path parameter that does not say that it is required',
    'name: isbn\n        in: path\n        required: true\n',
    '«name: isbn\n        in: path\n',
    'Parameter Object needs "required"; add it',
  ],
  [
    'a parameter of media types',
    '    Limit:\n      name: limit\n      in: query\n      schema: { type: integer, default: 20 }',
    '    Limit:\n      name: limit\n      in: query\n      «content: {}',
    '"content" is not supported in Parameter Object, which needs "schema"; remove or correct it',
  ],
  [
    'a parameter without a name',
    '      name: limit\n',
    '      «name: ""\n',
    '"" is not supported here; choose another name',
  ],
  [
    'a parameter that is named __proto__',
    '      name: limit\n',
    '      «name: __proto__\n',
    '"__proto__" is not supported here; choose another name',
  ],
  [
    'a parameter given twice',
    '        - $ref: "#/components/parameters/Limit"',
    '        - $ref: "#/components/parameters/Limit"\n        - «$ref: "#/components/parameters/Limit"',
    'the parameter "limit" is declared twice; remove one',
  ],
  [
    'a header parameter given twice',
    '        - $ref: "#/components/parameters/Limit"',
    '        - { in: header, name: X-A, schema: { type: string } }\n        - «{ in: header, name: x-a, schema: { type: string } }',
    'the parameter "x-a" is declared twice; remove one',
  ],
  [
    'a header parameter by another spelling than the one of its path',
    '      - name: isbn\n        in: path\n        required: true\n        schema: { type: string }\n    get:\n',
    '      - { in: header, name: X-A, schema: { type: string } }\n      - name: isbn\n        in: path\n        required: true\n        schema: { type: string }\n    get:\n      parameters:\n        - «{ in: header, name: x-a, schema: { type: string } }\n',
    'the parameter "x-a" is declared twice; remove one',
  ],
  [
    'a header parameter that has no effect',
    '        - $ref: "#/components/parameters/Limit"',
    '        - «{ in: header, name: Authorization, schema: { type: string } }',
    'a header parameter "Authorization" has no effect (OpenAPI 3.1, Parameter Object); remove it',
  ],
  [
    'a header parameter that no request can have',
    '        - $ref: "#/components/parameters/Limit"',
    '        - { in: header, «name: "X A", schema: { type: string } }',
    '"X A" is not supported here; use a name that HTTP allows for a header',
  ],
  [
    'an idempotency key without a lifetime',
    '        - $ref: "#/components/parameters/Limit"',
    '        - «{ in: header, name: idempotency-key, schema: { type: string } }',
    'nothing says how long idempotency keys are stored; add "x-idempotency-ttl-seconds"',
  ],
  [
    'an idempotency key with a lifetime beyond the range of clocks',
    '        - $ref: "#/components/parameters/Limit"',
    '        - { in: header, name: Idempotency-Key, «x-idempotency-ttl-seconds: 31536000001, schema: { type: string } }',
    '31536000001 is not supported here; use an integer from 1 to 31536000000',
  ],
  [
    'an idempotency key with a lifetime of zero',
    '        - $ref: "#/components/parameters/Limit"',
    '        - { in: header, name: Idempotency-Key, «x-idempotency-ttl-seconds: 0, schema: { type: string } }',
    '0 is not supported here; use an integer from 1 to 31536000000',
  ],
  [
    'a lifetime of idempotency keys on another header',
    '        - $ref: "#/components/parameters/Limit"',
    '        - { in: header, name: X-A, «x-idempotency-ttl-seconds: 60, schema: { type: string } }',
    '"x-idempotency-ttl-seconds" applies to the header "Idempotency-Key" only; remove it',
  ],
  [
    'an object as a parameter',
    'schema: { type: integer, default: 20 }',
    '«schema: { type: object }',
    'a parameter must be a scalar, or an array of scalars; give it one type: string, integer, number or boolean',
  ],
  [
    'a parameter that may be null',
    'schema: { type: integer, default: 20 }',
    '«schema: { type: [integer, "null"], default: 20 }',
    'a parameter must be a scalar, or an array of scalars; give it one type: string, integer, number or boolean',
  ],
  [
    'a list of lists as a parameter',
    'schema: { type: integer, default: 20 }',
    '«schema: { type: array, items: { type: array } }',
    'a parameter must be a scalar, or an array of scalars; give it one type: string, integer, number or boolean',
  ],
  [
    'a list in a path',
    '        required: true\n        schema: { type: string }',
    '        required: true\n        «schema: { type: array, items: { type: string } }',
    'a parameter must be a scalar; give it one type: string, integer, number or boolean',
  ],
  [
    'a required parameter with a default',
    'schema: { type: integer, default: 20 }',
    'required: true\n      schema: { type: integer, «default: 20 }',
    'the parameter is required, so its default has no effect; remove one of them',
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
    '"allowEmptyValue" is not supported in Parameter Object; remove or correct it',
  ],
  // bodies and responses
  [
    'a second media type',
    '          application/json:\n            schema:\n              $ref: "#/components/schemas/Book"\n      responses',
    '          application/json:\n            schema:\n              $ref: "#/components/schemas/Book"\n          «application/xml: {}\n      responses',
    '"application/xml" is not supported in content; describe "application/json" alone, or leave the content out',
  ],
  [
    'another media type',
    '        application/json:\n          schema:\n            type: array',
    '        «text/csv:\n          schema:\n            type: array',
    '"text/csv" is not supported in content; describe "application/json" alone, or leave the content out',
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
    '"encoding" is not supported in Media Type Object; remove or correct it',
  ],
  [
    'a body of a request that must not have one',
    '    get:\n      operationId: getBook',
    '    get:\n      «requestBody: { x-max-bytes: 1, content: { application/json: { schema: {} } } }\n      operationId: getBook',
    'a GET request must not have a body (RFC 9110, section 9.3); remove it',
  ],
  [
    'an extensible enum in a parameter',
    '        - $ref: "#/components/parameters/Limit"',
    '        - «{ name: kind, in: query, schema: { type: array, items: { type: string, x-extensible-enum: [a] } } }',
    'this has an "x-extensible-enum", which is for responses; use "enum" in requests, in a schema of their own if need be',
  ],
  [
    'an extensible enum of a component in a body',
    '      requestBody:\n        x-max-bytes: 65536\n        required: true\n        content:\n          application/json:\n            schema:\n              $ref: "#/components/schemas/Book"\n',
    '      «requestBody:\n        content: { application/json: { schema: { anyOf: [{ $ref: "#/components/schemas/Shelf" }] } } }\n',
    'this has an "x-extensible-enum", which is for responses; use "enum" in requests, in a schema of their own if need be',
  ],
  [
    'a 304 for another method than GET',
    '        "201":\n',
    '        «"304":\n          description: Nothing new.\n        "201":\n',
    'a POST request has no response 304 (RFC 9110, section 15.4.5); remove it',
  ],
  [
    'If-None-Match for another method than GET',
    '      requestBody:\n        x-max-bytes: 65536\n',
    '      parameters:\n        - «{ name: If-None-Match, in: header, schema: { type: string } }\n      requestBody:\n',
    '"If-None-Match" is evaluated for GET alone; remove it',
  ],
  [
    'a limit of zero bytes',
    'x-max-bytes: 65536',
    '«x-max-bytes: 0',
    `0 is not supported here; use an integer from 1 to ${constants.MAX_STRING_LENGTH}`,
  ],
  [
    'a limit of bytes beyond any text',
    'x-max-bytes: 65536',
    '«x-max-bytes: 9007199254740993',
    `9007199254740992 is not supported here; use an integer from 1 to ${constants.MAX_STRING_LENGTH}`,
  ],
  [
    'a default of a whole body',
    '            schema:\n              $ref: "#/components/schemas/Book"\n      responses',
    '            «schema:\n              $ref: "#/components/schemas/Book"\n              default: { title: x }\n      responses',
    'a default has no effect here, where no property or parameter can be left out; remove it',
  ],
  [
    'a range of successes',
    '        "204":\n          description: There is none.',
    '        «2XX:\n          description: There is none.',
    '"2XX" is not supported in Responses Object; name a status from "200" to "599", "4XX", "5XX" or "default"',
  ],
  [
    'an informational status',
    '        "204":\n          description: There is none.',
    '        «"100":\n          description: There is none.',
    '"100" is not supported in Responses Object; name a status from "200" to "599", "4XX", "5XX" or "default"',
  ],
  [
    'content where there is no body',
    '        "204":\n          description: There is none.',
    '        «"204":\n          description: There is none.\n          content: { application/json: { schema: {} } }',
    'a response with the status 204 must not have a body (RFC 9110, section 15); remove the content',
  ],
  [
    'a response without a description',
    '        "204":\n          description: There is none.',
    '        «"204": {}',
    'Response Object needs "description"; add it',
  ],
  [
    'an operation without any response',
    '      responses:\n        "200":\n          description: The book.\n        "204":\n          description: There is none.\n        default:\n          $ref: "#/components/responses/Failure"\n',
    '      «responses: {}\n',
    'this is empty; name a status from "200" to "599", "4XX", "5XX" or "default"',
  ],
  [
    'a header that HTTP does not allow',
    '            X-Shelf:',
    '            «X Shelf:',
    '"X Shelf" is not supported in headers; choose another name; Content-Type, -Encoding, -Length and headers of the connection follow from the response',
  ],
  [
    'a Content-Type of its own',
    '            X-Shelf:',
    '            «Content-Type:',
    '"Content-Type" is not supported in headers; choose another name; Content-Type, -Encoding, -Length and headers of the connection follow from the response',
  ],
  [
    'a header that is not a scalar',
    'schema: { type: integer }\n',
    '«schema: { type: object }\n',
    'a header must be a scalar; give it one type: string, integer, number or boolean',
  ],
  [
    'a header given twice',
    '            X-Shelf:\n              schema: { type: integer }',
    '            X-Shelf:\n              schema: { type: integer }\n            «x-shelf:\n              schema: { type: integer }',
    'the header "x-shelf" is declared twice; remove one',
  ],
  [
    'a header that frames the response',
    '            X-Shelf:\n              schema: { type: integer }',
    '            «Transfer-Encoding:\n              schema: { type: string }',
    '"Transfer-Encoding" is not supported in headers; choose another name; Content-Type, -Encoding, -Length and headers of the connection follow from the response',
  ],
  [
    'a header of the lifecycle that is stated',
    '            X-Shelf:\n              schema: { type: integer }',
    '            «deprecation:\n              schema: { type: string, enum: ["@1"] }',
    'the server computes the value of "deprecation"; remove its const or enum',
  ],
  [
    'a header that cannot be said',
    'schema: { type: integer }\n',
    '«schema: { type: string, const: "Łódź" }\n',
    'a header cannot have the value "Łódź"; use printable ASCII characters, without blanks at the ends',
  ],
  [
    'a header that clients would read in another encoding',
    'schema: { type: integer }\n',
    '«schema: { type: string, const: "Öl" }\n',
    'a header cannot have the value "Öl"; use printable ASCII characters, without blanks at the ends',
  ],
  [
    'a header that clients would read without its blanks',
    'schema: { type: integer }\n',
    '«schema: { type: string, enum: [" a", b] }\n',
    'a header cannot have the value " a"; use printable ASCII characters, without blanks at the ends',
  ],
  ...[
    'Retry-After',
    'ETag',
    'Accept-Encoding',
    'Access-Control-Allow-Origin',
    'WWW-Authenticate',
    'RateLimit',
    'X-Request-Id',
  ].map(
    (name): Refusal => [
      `${name} that is stated, and would be sent twice`,
      '            X-Shelf:\n              schema: { type: integer }',
      `            «${name}:\n              schema: { type: string, const: "1" }`,
      `the server computes the value of "${name}"; remove its const or enum`,
    ],
  ),
  ...[
    'required: true, schema: { type: string }',
    'schema: { type: string, maxLength: 9 }',
    'schema: { type: integer }',
  ].map(
    (fields): Refusal => [
      `If-None-Match with ${fields}`,
      '        - $ref: "#/components/parameters/Limit"',
      `        - «{ name: If-None-Match, in: header, ${fields} }`,
      '"If-None-Match" is compared with the ETag, whatever it is; make it optional, and its schema "type: string" alone',
    ],
  ),
  [
    'If-None-Match without a type, which is one mistake,',
    '        - $ref: "#/components/parameters/Limit"',
    '        - { name: If-None-Match, in: header, «schema: {} }',
    'a parameter must be a scalar; give it one type: string, integer, number or boolean',
  ],
  [
    'content of another tool alone',
    '      content:\n        application/json:\n          schema:\n            type: array\n            items:\n              $ref: "#/components/schemas/Book"',
    '      «content: { x-mock: {} }',
    'this is empty; describe "application/json" alone, or leave the content out',
  ],
  [
    'a Content-Encoding that no response has',
    '            X-Shelf:\n              schema: { type: integer }',
    '            «content-encoding:\n              schema: { type: string, const: gzip }',
    '"content-encoding" is not supported in headers; choose another name; Content-Type, -Encoding, -Length and headers of the connection follow from the response',
  ],
  [
    'an array of itself, which has no type',
    '  schemas:\n',
    '  schemas:\n    A: { type: array, items: { anyOf: [{ type: string }, { «$ref: "#/components/schemas/A" }] } }\n',
    '"#/components/schemas/A" refers back to itself without an object between; remove one of the references',
  ],
  [
    'a const that is null, without a type',
    'title: { type: string }',
    'title: { «const: null }',
    'null needs a type; add "type: null" with null in quotes',
  ],
  [
    'a type with null whose enum has none',
    'title: { type: string }',
    'title: { type: [string, "null"], «enum: [a] }',
    'the type has "null", and the enum does not; add null to it, or remove "null" from the type',
  ],
  // combinations
  [
    'what stands beside a combination',
    'title: { type: string }',
    'title: { anyOf: [{ type: string }], «type: string, «properties: { a: {} } }',
    '"type" is not supported in Schema Object with "anyOf"; remove or correct it',
    '"properties" is not supported in Schema Object with "anyOf"; remove or correct it',
  ],
  [
    'a part of allOf that need not be an object',
    'title: { type: string }',
    'title: { allOf: [«{ type: string }, «{ properties: { a: {} } }] }',
    'a part of "allOf" must be an open object; write "type: object" in it, without "additionalProperties"',
    'a part of "allOf" must be an open object; write "type: object" in it, without "additionalProperties"',
  ],
  [
    'a part of allOf that is closed, behind references',
    '  schemas:\n',
    '  schemas:\n    A: { allOf: [{ type: object }, «$ref: "#/components/schemas/B"] }\n    B: { type: object, allOf: [«$ref: "#/components/schemas/C"] }\n    C: { type: object, additionalProperties: false }\n',
    'a part of "allOf" must be an open object; write "type: object" in it, without "additionalProperties"',
    'a part of "allOf" must be an open object; write "type: object" in it, without "additionalProperties"',
  ],
  [
    'a property that two parts declare',
    'title: { type: string }',
    'title: { allOf: [{ type: object, properties: { a: {} } }, «{ type: object, properties: { a: { type: string } } }] }',
    'the property "a" is declared by two parts of "allOf"; declare it in one',
  ],
  [
    'a default within a combination, behind references',
    '  schemas:\n',
    '  schemas:\n    A: { oneOf: [{ type: "null" }, «$ref: "#/components/schemas/B"] }\n    B: { type: object, properties: { a: { type: string, default: x } } }\n',
    'a default is not filled in within "oneOf"; remove it, or describe the value without "oneOf"',
  ],
  [
    'an int64 beside another number in alternatives, wherever they are',
    '  schemas:\n',
    '  schemas:\n    A: { anyOf: [{ type: object, properties: { n: { type: number } } }, «{ type: array, items: { type: integer, format: int64 } }] }\n    B: { oneOf: [{ enum: [1, a] }, «{ type: integer, format: int64 }] }\n',
    'this alternative has an int64, and another one has a number of another type; write "type: integer, format: int64" for each, or for none',
    'this alternative has an int64, and another one has a number of another type; write "type: integer, format: int64" for each, or for none',
  ],
  [
    'a schema that refers to itself in two alternatives',
    '  schemas:\n',
    '  schemas:\n    A: { «anyOf: [{ $ref: "#/components/schemas/B" }, { type: object, properties: { a: { $ref: "#/components/schemas/A" } } }] }\n    B: { type: object, additionalProperties: { $ref: "#/components/schemas/A" } }\n',
    'two of these alternatives refer back to this schema, so that the time to validate doubles with each level of a value; let one alternative refer to it',
  ],
  // defaults
  [
    'a default that is counted',
    '  schemas:\n',
    '  schemas:\n    A: { type: object, «maxProperties: 1, «minProperties: 1, properties: { a: { type: string, default: x } } }\n',
    '"maxProperties" would count defaults that are filled in; remove it, or the defaults',
    '"minProperties" would count defaults that are filled in; remove it, or the defaults',
  ],
  [
    'a default that may make items equal',
    '  schemas:\n',
    '  schemas:\n    A: { type: array, «uniqueItems: true, items: { type: object, properties: { a: { type: string, default: x } } } }\n',
    'defaults within the items could make them equal; remove them, or "uniqueItems"',
  ],
  [
    'a default of a property that every object has in JavaScript',
    'title: { type: string }',
    'title: { type: string }\n        «toString: { type: string, default: a }',
    'a default of "toString" is not filled in; remove it, or rename the property',
  ],
  [
    'a default beyond 2^53',
    'pages: { type: integer, minimum: 1 }',
    'pages: { type: integer, format: int64, «default: 9007199254740993 }',
    'a default beyond 2^53 is not supported; write a smaller one',
  ],
  // numbers
  [
    'a limit beyond 2^53 without int64',
    'pages: { type: integer, minimum: 1 }',
    'pages: { type: integer, «maximum: 9007199254740993 }',
    '9007199254740993 is not supported here; write a smaller one, or use the format int64',
  ],
  [
    'a limit of an int64 with a fraction',
    'pages: { type: integer, minimum: 1 }',
    'pages: { type: integer, format: int64, «multipleOf: 0.5 }',
    '0.5 is not supported here; write an integer',
  ],
  [
    'a limit of numbers without a type',
    'pages: { type: integer, minimum: 1 }',
    'pages: { «minimum: 1 }',
    '"minimum" needs a type; add "type: integer" or "type: number"',
  ],
  [
    'components that are empty, although there are references to them',
    'components:\n',
    '«components:\nx-components:\n',
    'this must be of type object, but is null; change it',
  ],
  [
    'a default beside a format that is not supported',
    'pages: { type: integer, minimum: 1 }',
    'pages: { type: integer, «format: int65, default: 1 }',
    'the format "int65" is not supported for this type; use one of: int32, int64',
  ],
  [
    'a header of another style',
    'schema: { type: integer }\n',
    'schema: { type: integer }\n              «style: form\n',
    '"form" is not supported here; use simple',
  ],
  // references
  [
    'a reference that leads nowhere',
    '        - $ref: "#/components/parameters/Limit"',
    '        - «$ref: "#/components/parameters/Limits"',
    '"#/components/parameters/Limits" does not exist; add it or correct the reference',
  ],
  [
    'a reference to another kind of thing',
    '        - $ref: "#/components/parameters/Limit"',
    '        - «$ref: "#/components/schemas/Book"',
    '"#/components/schemas/Book" is not supported here; refer to a component of this document, as "#/components/parameters/NAME"',
  ],
  [
    'a reference to another file',
    '        - $ref: "#/components/parameters/Limit"',
    '        - «$ref: "./parameters.yaml#/Limit"',
    '"./parameters.yaml#/Limit" is not supported here; refer to a component of this document, as "#/components/parameters/NAME"',
  ],
  [
    'references to parameters of another file',
    '      - name: isbn\n        in: path\n        required: true\n        schema: { type: string }\n',
    '      - «$ref: "./parameters.yaml#/Isbn"\n      - «$ref: "./parameters.yaml#/Page"\n',
    '"./parameters.yaml#/Isbn" is not supported here; refer to a component of this document, as "#/components/parameters/NAME"',
    '"./parameters.yaml#/Page" is not supported here; refer to a component of this document, as "#/components/parameters/NAME"',
  ],
  [
    'a reference to the schema of a parameter in another file',
    'schema: { type: integer, default: 20 }',
    'schema: { «$ref: "./schemas.yaml#/components/schemas/Book" }\n      example: 1',
    '"./schemas.yaml#/components/schemas/Book" is not supported here; refer to a component of this document, as "#/components/schemas/NAME"',
  ],
  [
    'a reference to the schema of a header in another file',
    '              schema: { type: integer }\n',
    '              schema: { «$ref: "schemas.yaml#/Shelf" }\n',
    '"schemas.yaml#/Shelf" is not supported here; refer to a component of this document, as "#/components/schemas/NAME"',
  ],
  [
    'a reference to a response in another file',
    '          $ref: "#/components/responses/Books"',
    '          «$ref: "./responses.yaml"',
    '"./responses.yaml" is not supported here; refer to a component of this document, as "#/components/responses/NAME"',
  ],
  [
    'a reference to itself',
    '  schemas:\n',
    '  schemas:\n    A: { «$ref: "#/components/schemas/A" }\n',
    '"#/components/schemas/A" refers back to itself without an object between; remove one of the references',
  ],
  [
    'references in a circle',
    '  schemas:\n',
    '  schemas:\n    A: { «$ref: "#/components/schemas/B" }\n    B: { «$ref: "#/components/schemas/A" }\n',
    '"#/components/schemas/B" refers back to itself without an object between; remove one of the references',
    '"#/components/schemas/A" refers back to itself without an object between; remove one of the references',
  ],
  [
    'a schema that combines itself',
    '  schemas:\n',
    '  schemas:\n    A: { anyOf: [{ type: string }, { allOf: [{ «$ref: "#/components/schemas/A" }] }] }\n',
    '"#/components/schemas/A" refers back to itself without an object between; remove one of the references',
  ],
  [
    'a component with an odd name',
    '  schemas:\n',
    '  schemas:\n    «a b: {}\n',
    '"a b" is not supported in components.schemas; use letters, digits, ".", "_" and "-"',
  ],
  [
    'components of a kind that is not supported',
    'components:\n',
    'components:\n  «examples: {}\n',
    '"examples" is not supported in Components Object; remove or correct it',
  ],
  [
    'keywords beside a reference',
    '              $ref: "#/components/schemas/Book"\n      responses',
    '              $ref: "#/components/schemas/Book"\n              «minProperties: 1\n      responses',
    '"minProperties" is not supported in Schema Object with a $ref; remove or correct it',
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
    'a keyword that is not supported',
    'pages: { type: integer, minimum: 1 }',
    'pages: { «not: { type: integer } }',
    '"not" is not supported in Schema Object; remove or correct it',
  ],
  [
    'readOnly',
    'pages: { type: integer, minimum: 1 }',
    'pages: { type: integer, «readOnly: true }',
    '"readOnly" is not supported in Schema Object; write one schema for requests and one for responses',
  ],
  [
    'nullable, of OpenAPI 3.0',
    'pages: { type: integer, minimum: 1 }',
    'pages: { type: integer, «nullable: true }',
    '"nullable" is not supported in Schema Object; add "null" to the type',
  ],
  [
    'a mistyped keyword',
    'pages: { type: integer, minimum: 1 }',
    'pages: { type: integer, «minumum: 1 }',
    '"minumum" is not supported in Schema Object (did you mean "minimum"?); remove or correct it',
  ],
  [
    'a keyword of another type',
    'pages: { type: integer, minimum: 1 }',
    'pages: { type: string, «minimum: 1 }',
    '"minimum" applies to integer and number only; add that type or remove the keyword',
  ],
  [
    'an unknown type',
    'pages: { type: integer, minimum: 1 }',
    'pages: { «type: int }',
    '"int" is not supported here; use one of: null, boolean, object, array, number, integer, string',
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
    'the format "int16" is not supported for this type; use one of: int32, int64',
  ],
  [
    'a format of another type',
    'pages: { type: integer, minimum: 1 }',
    'pages: { type: string, «format: int64 }',
    'the format "int64" is not supported for this type; use one of: byte, date, date-time, duration, email, hostname, ipv4, ipv6, json-pointer, password, regex, time, uri, uri-reference, uri-template, uuid',
  ],
  [
    'a format of numbers without a type',
    'pages: { type: integer, minimum: 1 }',
    'pages: { «format: int64 }',
    'the format "int64" is not supported without a type; use one of: byte, date, date-time, duration, email, hostname, ipv4, ipv6, json-pointer, password, regex, time, uri, uri-reference, uri-template, uuid',
  ],
  [
    'a format that cannot be held to its standard',
    'pages: { type: integer, minimum: 1 }',
    'pages: { type: string, «format: idn-hostname }',
    'the format "idn-hostname" is not supported for this type; use one of: byte, date, date-time, duration, email, hostname, ipv4, ipv6, json-pointer, password, regex, time, uri, uri-reference, uri-template, uuid',
  ],
  [
    'a format of a value that is always null',
    'pages: { type: integer, minimum: 1 }',
    'pages: { type: ["null"], «format: date }',
    'the format "date" is not supported for this type; remove it',
  ],
  [
    'a format of a type that has none',
    'pages: { type: integer, minimum: 1 }',
    'pages: { type: boolean, «format: date }',
    'the format "date" is not supported for this type; remove it',
  ],
  [
    'a format of several types',
    'pages: { type: integer, minimum: 1 }',
    'pages: { «type: [string, integer], format: uuid }',
    'the format "uuid" applies to one type, and there are several; use one, or one and "null"',
  ],
  [
    'a type that only objects of JavaScript have',
    'title: { type: string }',
    'title: { «type: constructor, format: uuid }',
    '"constructor" is not supported here; use one of: null, boolean, object, array, number, integer, string',
  ],
  [
    'a pattern that is one only where Unicode does not matter',
    'title: { type: string }',
    "title: { type: string, «pattern: '[\\w-.]' }",
    '"[\\\\w-.]" is not a regular expression that JavaScript accepts with the flag "u"; correct it',
  ],
  [
    'a pattern that is not a regular expression',
    'title: { type: string }',
    'title: { type: string, «pattern: "(" }',
    '"(" is not a regular expression that JavaScript accepts with the flag "u"; correct it',
  ],
  [
    'a limit that is not a number',
    'pages: { type: integer, minimum: 1 }',
    'pages: { type: integer, «minimum: one }',
    'this must be of type number, but is "one"; change it',
  ],
  [
    'a length below zero',
    'title: { type: string }',
    'title: { type: string, «minLength: -1 }',
    '-1 is not supported here; use an integer from 0 to 9007199254740991',
  ],
  [
    'a multiple of nothing',
    'pages: { type: integer, minimum: 1 }',
    'pages: { type: integer, «multipleOf: 0 }',
    '0 is not supported here; write a number above 0',
  ],
  ['an empty enum', 'title: { type: string }', 'title: { type: string, «enum: [] }', 'this is empty; add a value'],
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
    'an object or array is not supported here; describe it by "properties" or "items"',
  ],
  [
    'a list as a const',
    'pages: { type: integer, minimum: 1 }',
    'pages: { type: array, «const: [1] }',
    'an object or array is not supported here; describe it by "properties" or "items"',
  ],
  [
    'a count that no number holds',
    'title: { type: string }',
    'title: { type: string, «minLength: 9007199254740993 }',
    '9007199254740992 is not supported here; use an integer from 0 to 9007199254740991',
  ],
  [
    'numbers that JSON does not have',
    'pages: { type: integer, minimum: 1 }',
    'pages: { type: number, multipleOf: «.inf, maximum: «.NaN, minimum: «-1e999 }',
    'JSON has no number .inf; write another number, or put it in quotes',
    'JSON has no number .NaN; write another number, or put it in quotes',
    'JSON has no number -1e999; write another number, or put it in quotes',
  ],
  [
    'a listed number that is an integer beyond what numbers hold',
    'pages: { type: integer, minimum: 1 }',
    'pages: { type: number, enum: [1, «1.0e20] }',
    'an integer beyond 2^53 is not supported here; write a smaller one, or use the format int64',
  ],
  [
    'a default that is not valid',
    'schema: { type: integer, default: 20 }',
    'schema: { type: integer, maximum: 10, «default: 20 }',
    'the default is not valid against its schema: default must be at most 10; change one of them',
  ],
  [
    'a default beyond the format',
    'schema: { type: integer, default: 20 }',
    'schema: { type: integer, format: int64, «default: 9223372036854775808 }',
    'the default is not valid against its schema: default must be an int64 integer; change one of them',
  ],
  [
    'an example of a schema that is not valid',
    'pages: { type: integer, minimum: 1 }',
    'pages: { type: integer, minimum: 1, «example: 0, examples: [1, «x] }',
    'the example is not valid against its schema: example must be at least 1; change one of them',
    'the example is not valid against its schema: example must be an integer; change one of them',
  ],
  [
    'an example of a parameter that is not valid',
    'schema: { type: integer, default: 20 }',
    'schema: { type: integer, default: 20 }\n      «example: "1"',
    'the example is not valid against its schema: example must be an integer; change one of them',
  ],
  [
    'an example of a header that is not valid',
    'schema: { type: integer }',
    'schema: { type: integer }\n              examples: { one: { value: 1 }, half: { «value: 0.5 } }',
    'the example is not valid against its schema: example must be an integer; change one of them',
  ],
  [
    'an example of a body that is not valid',
    '              $ref: "#/components/schemas/Book"\n      responses',
    '              $ref: "#/components/schemas/Book"\n            «example: { titel: Emma }\n      responses',
    'the example is not valid against its schema: example.title is required; change one of them',
  ],
  [
    'an example without a value',
    '              $ref: "#/components/schemas/Book"\n      responses',
    '              $ref: "#/components/schemas/Book"\n            examples: { «one: {} }\n      responses',
    'Example Object needs "value"; add it',
  ],
  [
    'a reference in place of an example',
    '              $ref: "#/components/schemas/Book"\n      responses',
    '              $ref: "#/components/schemas/Book"\n            examples: { one: { «$ref: "#/components/examples/One" } }\n      responses',
    '"$ref" is not supported in Example Object, which needs "value"; remove or correct it',
  ],
  [
    'a limit of OpenAPI 3.0 that is true or false, beside an example',
    'pages: { type: integer, minimum: 1 }',
    'pages: { type: integer, minimum: 1, «exclusiveMinimum: true, example: 2 }',
    'this must be of type number, but is true; change it',
  ],
  [
    'a misspelt field that is required',
    '    Limit:\n      name: limit\n',
    '    Limit:\n      «nam: limit\n',
    '"nam" is not supported in Parameter Object (did you mean "name"?); remove or correct it',
  ],
  [
    'an example of a schema that is wrong itself',
    'pages: { type: integer, minimum: 1 }',
    'pages: { example: 1, «properties: null }',
    'this must be of type object, but is null; change it',
  ],
  [
    'a default without an end',
    '  schemas:\n',
    '  schemas:\n    A: { type: object, «default: {}, properties: { a: { $ref: "#/components/schemas/A" } } }\n',
    'the default is recursive; remove one of its properties',
  ],
  [
    'a default beside a mistake',
    'pages: { type: integer, minimum: 1 }',
    'pages: { type: object, default: {}, «properties: null }',
    'this must be of type object, but is null; change it',
  ],
  [
    'a default where nothing is left out',
    '            items:\n              $ref: "#/components/schemas/Book"\n    Failure',
    '            «items: { type: string, default: a }\n    Failure',
    'a default has no effect here, where no property or parameter can be left out; remove it',
  ],
  [
    'a default of a required property',
    'title: { type: string }',
    'title: { type: string, «default: a }',
    '"title" is required, so its default has no effect; remove one of them',
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
    '"__proto__" is not supported in properties; choose another name',
  ],
  [
    'an empty combination',
    'pages: { type: integer, minimum: 1 }',
    'pages: { «oneOf: [] }',
    'this is empty; add a schema',
  ],
]

for (const [what, from, to, ...says] of refusals) {
  t.test(`${what} is refused`, async (t) => {
    const { source, places } = unmark(edit(library, from, to))
    const lines = await getRefusal(t, { source, handlers: handlersFor(source), security })
    t.strictSame(
      lines,
      says.map((message, index) => `${places[index]}: ${message}`),
    )
  })
}

/** Edits of the document that change what it means, or are for other tools and readers; each is accepted. */
const accepted: readonly (readonly [what: string, from: string, to: string])[] = [
  ['a field of another tool', 'version: 1.0.0', 'version: 1.0.0\n  x-logo: { url: /logo.png }'],
  ['a field of another tool among paths', '  /books:\n', '  x-gateway: here\n  /books:\n'],
  [
    'what looks like an operation in one',
    '  /books:\n',
    '  x-gateway:\n    get:\n      operationId: listBooks\n  /books:\n',
  ],
  [
    'a field of another tool among responses',
    '        "204":\n          description: There is none.',
    '        x-mock: there\n        "204":\n          description: There is none.',
  ],
  ['webhooks', 'tags:\n', 'webhooks: { shelved: { post: { any: thing } } }\ntags:\n'],
  ['servers of a path', '  /books:\n', '  /books:\n    servers: [{ url: https://other.example }]\n'],
  ['servers of an operation', 'operationId: addBook', 'operationId: addBook\n      servers: []'],
  ['callbacks', 'operationId: addBook', 'operationId: addBook\n      callbacks: { added: {} }'],
  [
    'links',
    '        "204":\n          description: There',
    '        "204":\n          links: {}\n          description: There',
  ],
  [
    'a schema that refers to itself twice, each time at another place',
    '  schemas:\n',
    '  schemas:\n    A: { anyOf: [{ type: string }, { properties: { left: { $ref: "#/components/schemas/A" }, right: { $ref: "#/components/schemas/A" } } }] }\n',
  ],
  [
    'alternatives that are all int64, or one of which refers back',
    '  schemas:\n',
    '  schemas:\n    A: { anyOf: [{ type: "null" }, { type: integer, format: int64, enum: [1, 9007199254740993] }] }\n    B: { oneOf: [{ type: string }, { type: array, items: { type: object, properties: { b: { $ref: "#/components/schemas/B" } } } }] }\n',
  ],
  [
    'a combination of open objects',
    '  schemas:\n',
    '  schemas:\n    A: { type: object, allOf: [{ $ref: "#/components/schemas/B" }, { type: object, required: [b] }] }\n    B: { type: object, properties: { b: {} } }\n',
  ],
  [
    'the date that every response has',
    'description: What is wrong.',
    'description: What is wrong.\n      headers: { Date: { required: true, schema: { type: string } } }',
  ],
  [
    'If-None-Match with prose',
    '        - $ref: "#/components/parameters/Limit"',
    '        - { name: If-None-Match, in: header, schema: { type: string, description: An ETag. } }',
  ],
  ['an operationId with spaces', 'operationId: addBook', 'operationId: add a book'],
  ['alternative schemes', 'security:\n  - Reader: []', 'security:\n  - Reader: []\n  - Reader: [all]'],
  [
    'server variables with names that every object has',
    'url: https://library.example/v1',
    'url: /{constructor}/{__proto__}\n    variables: { constructor: { default: a }, __proto__: { default: b } }',
  ],
  [
    'headers with names that every object has',
    'description: What is wrong.',
    'description: What is wrong.\n      headers: { constructor: { schema: { type: integer } }, __proto__: { schema: { type: string } } }',
  ],
  ['optional security', 'security:\n  - Reader: []', 'security:\n  - Reader: []\n  - {}'],
  ['scopes', '  - Reader: []', '  - Reader: [books:write]'],
  ['a body without a size', '      requestBody:\n        x-max-bytes: 65536\n', '      requestBody:\n'],
  [
    'errors without a body',
    '        "204":\n          description: There is none.',
    '        4XX:\n          description: There is none.',
  ],
  [
    'an operation that declares none of the errors of the server',
    '        "204":\n          description: There is none.\n        default:\n          $ref: "#/components/responses/Failure"\n',
    '',
  ],
  [
    'errors by class of status',
    '        "204":\n          description: There is none.\n        default:\n          $ref: "#/components/responses/Failure"\n',
    '        4XX:\n          $ref: "#/components/responses/Failure"\n        5XX:\n          $ref: "#/components/responses/Failure"\n',
  ],
]

for (const [what, from, to] of accepted) {
  t.test(`${what} is accepted`, async (t) => {
    const source = edit(library, from, to)
    t.strictSame(await getRefusal(t, { source, handlers: handlersFor(source), security }), [])
  })
}

t.test('an operation without an operationId has one by its method and path, which no other may have', async (t) => {
  const source = edit(library, '      operationId: getBook\n', '')
  const handlers = { listBooks: idle, addBook: idle, getBooksIsbn: idle }
  t.strictSame(await getRefusal(t, { source, handlers, security }), [])
  await refuses(
    [
      ['      operationId: getBook\n', ''],
      ['operationId: addBook', 'operationId: get-books-isbn'],
      ['    get:\n      deprecated', '    «get:\n      deprecated'],
    ],
    ['the operationId "getBooksIsbn" gives types the same names as "get-books-isbn"; choose another one'],
  )
})

t.test('a server variable with a list of values has one of them, from outside too', async (t) => {
  const servers = 'url: "{base}"\n    variables: { «base: { default: /v1, enum: [/v1, /v2] } }'
  const { source, places } = unmark(edit(library, 'url: https://library.example/v1', servers))
  const refusalWith = (base: string) =>
    getRefusal(t, { source, handlers: handlersFor(source), security, servers: { base } })
  t.strictSame(await refusalWith('/v2'), [])
  t.strictSame(await refusalWith('/v3'), [`${places[0]}: BASE is "/v3"; use one of: /v1, /v2`])
})

t.test('the unedited document is accepted', async (t) => {
  t.strictSame(await getRefusal(t, { source: library, handlers: handlersFor(library), security }), [])
})

/** Several edits of the document, and what is said of the marks in it. */
async function refuses(
  edits: readonly (readonly [from: string, to: string])[],
  says: readonly string[],
): Promise<void> {
  const edited = edits.reduce((text, [from, to]) => edit(text, from, to), library)
  const { source, places } = unmark(edited)
  t.strictSame(
    await getRefusal(t, { source, handlers: handlersFor(source), security }),
    says.map((message, index) => `${places[index]}: ${message}`),
  )
}

t.test('everything that is not supported is named at once, in the order of the lines', async () => {
  await refuses(
    [
      ['pages: { type: integer, minimum: 1 }', 'pages: { type: string, minimum: 1, «maxmum: 5 }'],
      ['in: query', '«in: cookie'],
      ['x-sunset: 2027-01-01', '«x-sunset: next summer'],
      ['operationId: addBook', 'operationId: addBook\n      «consumes: [json]'],
      ['title: Library', '«titel: Library'],
    ],
    [
      '"titel" is not supported in Info Object (did you mean "title"?); remove or correct it',
      '"consumes" is not supported in Operation Object; remove or correct it',
      '"next summer" is not a date; write it as YYYY-MM-DD',
      '"cookie" is not supported here; use one of: path, query, header',
      '"maxmum" is not supported in Schema Object (did you mean "maximum"?); remove or correct it',
    ],
  )
})

t.test('everything that is inconsistent is named at once, beside what is not supported', async () => {
  await refuses(
    [
      ['pages: { type: integer, minimum: 1 }', 'pages: { type: string, «minimum: 1, «example: 1 }'],
      ['    Reader: { type: http, scheme: basic }', '    Reader: { type: http, «scheme: digest }'],
      ['x-sunset: 2027-01-01', '«x-sunset: 2025-01-01'],
      ['operationId: addBook', '«operationId: listBooks'],
      ['title: Library', '«titel: Library'],
    ],
    [
      '"titel" is not supported in Info Object (did you mean "title"?); remove or correct it',
      'the operationId "listBooks" is used twice; choose another one',
      'the sunset 2025-01-01 is earlier than the deprecation 2026-01-01; change one of them',
      '"digest" is not supported here; use "bearer" or "basic"',
      '"minimum" applies to integer and number only; add that type or remove the keyword',
      'the example is not valid against its schema: example must be a string; change one of them',
    ],
  )
})

t.test('what only follows from something that is not supported is not named', async () => {
  await refuses(
    [
      ['pages: { type: integer, minimum: 1 }', 'pages: { «type: int, minimum: 1, format: int32 }'],
      ['x-sunset: 2027-01-01', '«x-sunset: 1 January 2027'],
      ['    parameters:\n      - name: isbn', '    «paramters:\n      - name: isbn'],
      ['operationId: addBook', '«operationID: addBook'],
    ],
    [
      '"operationID" is not supported in Operation Object (did you mean "operationId"?); remove or correct it',
      '"paramters" is not supported in Path Item Object (did you mean "parameters"?); remove or correct it',
      '"1 January 2027" is not a date; write it as YYYY-MM-DD',
      '"int" is not supported here; use one of: null, boolean, object, array, number, integer, string',
    ],
  )
})

t.test('everything in which a document and its implementation do not match is named at once', async (t) => {
  const headers = '          headers: { «Sunset: { schema: { type: integer } } }\n'
  const edits = [
    ['paths:\n', '«paths:\n'],
    ['  /books:\n', '  «/books:\n'],
    ['operationId: addBook', '«operationId: addBook'],
    ['  /books/{isbn}:\n', '  «/books/{isbn}:\n'],
    ['description: The book.\n        "204"', `description: The book.\n${headers}        "204"`],
    ['    Reader:', '    «Reader:'],
    ['    Book:\n      type', '    «Book:\n      type'],
  ] as const
  const { source, places } = unmark(edits.reduce((text, [from, to]) => edit(text, from, to), library))
  const document = await load(t, source)
  const { operations, schemas } = computeDigests(document.root)
  const lines = await getRefusal(t, {
    source,
    document,
    handlers: { listBooks: idle, getBook: idle, burnBook: idle },
    reserved: ['/v1/books'],
    digests: { operations, schemas: { ...schemas, Book: 'of another one' } },
  })
  t.strictSame(
    lines,
    [
      'the handler "burnBook" has no operation; add one or remove the handler',
      'the service itself uses "/v1/books"; choose another path',
      '"addBook" has no handler; write one or remove the operation',
      'the service itself uses "/v1/books"; choose another path',
      'Sunset must be an integer, but the server sends Fri, 01 Jan 2027 00:00:00 GMT; change the schema',
      'the security scheme "Reader" has no function; write one or remove the scheme',
      'generated/ is older than the schema "Book"; run: npm run generate',
    ].map((message, index) => `${places[index]}: ${message}`),
  )
})

t.test('handlers without an operation and operations without a handler are refused', async (t) => {
  const { source, places } = unmark(
    edit(edit(library, 'operationId: addBook', '«operationId: addBook'), 'paths:\n', '«paths:\n'),
  )
  t.strictSame(
    await getRefusal(t, { source, handlers: { listBooks: idle, burnBook: idle, getBook: idle }, security }),
    [
      `${places[0]}: the handler "burnBook" has no operation; add one or remove the handler`,
      `${places[1]}: "addBook" has no handler; write one or remove the operation`,
    ],
  )
})

t.test('a security scheme without a function is refused', async (t) => {
  const { source, places } = unmark(edit(library, 'Reader: {', '«Reader: {'))
  t.strictSame(await getRefusal(t, { source, handlers: handlersFor(source) }), [
    `${places[0]}: the security scheme "Reader" has no function; write one or remove the scheme`,
  ])
})

t.test('a path that the service uses for something else is refused', async (t) => {
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
      await getRefusal(t, { source, handlers: handlersFor(source), security, reserved }),
      other === undefined ? [] : [`${places[0]}: the service itself uses "${other}"; choose another path`],
    )
  }
})

t.test('a parameter that has the name of the credentials is refused: both would be read from one place', async (t) => {
  const { source, places } = unmark(
    edit(
      edit(library, 'Reader: { type: http, scheme: basic }', 'Reader: { type: apiKey, in: query, name: limit }'),
      '        - $ref: "#/components/parameters/Limit"',
      '        - «$ref: "#/components/parameters/Limit"',
    ),
  )
  const options = { source, handlers: handlersFor(source), security }
  t.strictSame(await getRefusal(t, options), [
    `${places[0]}: the credentials of the security scheme have the name "limit", too; rename one of them`,
  ])
})

t.test('a security scheme that no operation uses needs no function', async (t) => {
  const source = edit(library, 'security:\n  - Reader: []\n', '')
  t.strictSame(await getRefusal(t, { source, handlers: handlersFor(source) }), [])
})

t.test('a property may be required without being described, where the object is open', async (t) => {
  const source = edit(
    edit(library, 'required: [title]', 'required: [title, author]'),
    'additionalProperties: false',
    '',
  )
  t.strictSame(await getRefusal(t, { source, handlers: handlersFor(source), security }), [])
})

t.test('a sunset on the day of the deprecation, and one with deprecated: false, are accepted', async (t) => {
  const sameDay = edit(library, 'x-sunset: 2027-01-01', 'x-sunset: 2026-01-01')
  const aside = edit(library, 'deprecated: true', 'deprecated: false')
  for (const source of [sameDay, aside]) {
    t.strictSame(await getRefusal(t, { source, handlers: handlersFor(source), security }), [])
  }
})

t.test('server variables from outside are checked too, and the message names the variable', async (t) => {
  const variables = `
  - url: "{home}"
    variables: { home: { default: https://library.example/v1 } }
  - url: "{mirror}"
    variables: { mirror: { default: https://mirror.example/v1 } }`
  const { source, places } = unmark(
    edit(library, 'servers:\n  - url: https://library.example/v1', `«servers:${variables}`),
  )
  const refusalWith = (servers: Record<string, string | null | undefined>, reserved: string[] = []) =>
    getRefusal(t, { source, handlers: handlersFor(source), security, servers, reserved })
  t.strictSame(await refusalWith({}), [])
  t.strictSame(await refusalWith({ mirror: 'https://other.example/v1', of: undefined }), [])
  t.strictSame(await refusalWith({ home: undefined, mirror: 'https://other.example' }, ['/books']), [
    `${places[0]}: the servers have different paths, /v1 and /; use the same path (set by HOME and MIRROR)`,
  ])
  t.strictSame(await refusalWith({ mirror: 'https://other.example' }), [
    `${places[0]}: the servers have different paths, /v1 and /; use the same path (set by MIRROR)`,
  ])
  t.strictSame(await refusalWith({ home: 'library.example', mirror: 'https:///v1' }), [
    '6:5: "library.example" is not an http(s) URL or path without query and trailing slash; correct it (set by HOME)',
    '8:5: "https:///v1" is not an http(s) URL or path without query and trailing slash; correct it (set by MIRROR)',
  ])
  t.strictSame(await refusalWith({ home: 'library.example', mirror: null }), [
    '9:18: MIRROR is a setting of the service; rename "mirror"',
  ])
})

t.test('a file whose value is not an object is refused', async (t) => {
  for (const source of ['', '# nothing', '[]', '"3.1.0"', 'null']) {
    t.strictSame(await getRefusal(t, { source, handlers: {} }), [
      '1:1: this is not an OpenAPI document; begin it with "openapi: 3.1.0"',
    ])
  }
})

t.test('a file that is not UTF-8 is refused', async (t) => {
  const source = Buffer.from(edit(library, 'title: Library', 'title: Bücherei'), 'latin1')
  t.strictSame(await getRefusal(t, { source, handlers: {} }), ['1:1: the file is not UTF-8; save it in that encoding'])
})

t.test('a missing file is refused', async (t) => {
  const file = join(temporaryFolder(t), 'none.yaml')
  const message = `${relative(process.cwd(), file)}:1:1: the file cannot be read (ENOENT); check its name and permissions`
  await t.rejects(loadDocument(file), { name: 'DocumentError', message })
})

t.test('schemas that are nested or refer to each other too deeply are refused, others not', async (t) => {
  const nested = (depth: number) =>
    `    A: ${'{ type: array, items: '.repeat(depth)}{ type: string }${' }'.repeat(depth)}\n`
  const chain = (length: number, toSchema: (reference: string) => string) => {
    const schemas = Array.from({ length }, (_, at) => `A${at}: ${toSchema(`$ref: "#/components/schemas/A${at + 1}"`)}`)
    return [...schemas, `A${length}: { type: string }`, ''].map((line) => `    ${line}\n`).join('')
  }
  const alias = (length: number) => chain(length, (reference) => `{ ${reference} }`)
  const objects = (length: number) =>
    `${chain(length, (reference) => `{ type: object, properties: { a: { ${reference} } } }`)}    B: { type: object, properties: { a: { $ref: "#/components/schemas/A0" } }, example: {} }\n`
  const lines = (schemas: string) => {
    const source = edit(library, '  schemas:\n', `  schemas:\n${schemas}`)
    return getRefusal(t, { source, handlers: handlersFor(source), security })
  }
  for (const schemas of [nested(100), alias(199), objects(199)]) t.strictSame(await lines(schemas), [])
  const tooDeep = 'this is nested deeper than 200 levels; move a part of it into the components'
  for (const depth of [400, 10_000]) t.match((await lines(nested(depth))).at(-1), tooDeep)
  const both = chain(
    100,
    (reference) =>
      `${'{ type: array, items: '.repeat(90)}{ type: object, properties: { a: { ${reference} } } }${' }'.repeat(90)}`,
  )
  for (const schemas of [alias(1500), objects(1500), both]) {
    t.strictSame(await lines(schemas), [
      '86:5: schemas are nested, or refer to each other, deeper than 400 levels; use fewer',
    ])
  }
})

t.test('too many alias expansions are refused', async (t) => {
  const levels = Array.from({ length: 9 }, (_, level) => `l${level + 1}: &l${level + 1} [${`*l${level},`.repeat(10)}]`)
  t.strictSame(await getRefusal(t, { source: ['l0: &l0 lol', ...levels].join('\n'), handlers: {} }), [
    '1:1: too many alias expansions; write out the values',
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
  t.strictSame(await getRefusal(t, { source: marked, handlers: handlersFor(marked), security }), [
    `${places[0]}: a header must be a scalar; give it one type: string, integer, number or boolean`,
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

t.test('a required header that neither the server nor a handler sends with every response is refused', async (t) => {
  const headers = `          headers:
            «Deprecation: { required: true, schema: { type: string } }
            RateLimit: { required: true, schema: { type: string } }
            X-Shelf:`
  const added = edit(library, '          headers:\n            X-Shelf:', headers)
  const error = `        "400":
          description: Wrong.
          headers:
            «RateLimit: { required: true, schema: { type: string } }
        "204":
          description: There`
  const { source, places } = unmark(edit(added, '        "204":\n          description: There', error))
  const message = (name: string) =>
    `"${name}" is required, but not sent with every response of this kind; remove the header or "required"`
  const options = { source, handlers: handlersFor(source), security }
  // The compiler asks the handler of addBook for RateLimit.
  t.strictSame(await getRefusal(t, options), [
    `${places[0]}: ${message('Deprecation')}`,
    `${places[1]}: ${message('RateLimit')}`,
  ])
  t.strictSame(await getRefusal(t, { ...options, serverHeaders: ['ratelimit'] }), [
    `${places[0]}: ${message('Deprecation')}`,
  ])
})

t.test('a required header of errors that is named like a member of every object is refused', async (t) => {
  const headers = '      headers: { __proto__: { required: true, schema: { type: string } } }'
  const edited = edit(library, '      description: What is wrong.', `      description: x\n${headers}`)
  const { source, places } = unmark(edited.replaceAll('        default:\n', '        «default:\n'))
  const what = '"__proto__" is required, but not sent with every response of this kind'
  t.strictSame(
    await getRefusal(t, { source, handlers: handlersFor(source), security }),
    places.map((place) => `${place}: ${what}; remove the header or "required"`),
  )
})
