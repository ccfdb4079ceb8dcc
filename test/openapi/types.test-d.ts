/**
 * What does not compile. This file never runs: `tsc` checks it, and reports each `@ts-expect-error` without an error.
 */
import type { GetPetResponse } from '../../generated/server.d.ts'
import type { Caller, OpenApiOptions } from '../../src/openapi/index.ts'
import { mocks } from '../../src/openapi/mocks/mocks.ts'
import type {
  AddBookRequest,
  AddBookResponse,
  AddMottoResponse,
  Api,
  FindBooksRequest,
  FindBooksResponse,
  Handlers,
  MoveBookRequest,
  MoveBookResponse,
  PlaceBookRequest,
  Push,
  RemoveBookResponse,
  Urls,
} from './generated/server.d.ts'

type Library = Handlers<Caller>

declare const handlers: Library
const { addMotto, ...others } = handlers

export const everyHandler = { ...others, addMotto } satisfies Library

// @ts-expect-error: there is no handler for addMotto
export const missingHandler = { ...others } satisfies Library

// @ts-expect-error: the handler is that of another operation
export const swappedHandler = { ...handlers, addMotto: handlers.removeBook } satisfies Library

type LibraryApi = Api<Caller & { readonly isLibrarian: boolean }>
type Options = OpenApiOptions<LibraryApi>

declare const options: Options
const { document, security } = options
const { addMotto: addsMotto, ...otherHandlers } = options.handlers as LibraryApi['handlers']
const parts = { document, security, handlers: { addMotto: addsMotto, ...otherHandlers } }

export const completeOptions = { ...parts } satisfies Options

export const someHandlers = { ...parts, handlers: otherHandlers, missingHandlers: mocks } satisfies Options

export const noHandlers = { document, security, missingHandlers: 'notImplemented' } satisfies Options

// @ts-expect-error: there is no handler for addMotto
export const optionsWithoutHandler = { ...parts, handlers: otherHandlers } satisfies Options

// @ts-expect-error: the document would be rejected
export const rejectedHandlers = { ...parts, handlers: otherHandlers, missingHandlers: 'error' } satisfies Options

// @ts-expect-error: there is no security
export const optionsWithoutSecurity = { document, handlers: parts.handlers } satisfies Options

// @ts-expect-error: there is no security scheme Retina
export const extraScheme = { ...parts, security: { ...security, Retina: security.Librarian } } satisfies Options

// @ts-expect-error: handlers read isLibrarian of the client
export const poorCaller = { ...parts, security: { Librarian: () => ({ id: '', name: '' }) } } satisfies Options

export const responses = [
  { status: 200, body: 'Read!' },
  { status: 400, body: { error: 'too short' } },
] satisfies AddMottoResponse[]

export const wrongResponses = [
  // @ts-expect-error: the status is not declared
  { status: 201, body: 'Read!' },
  // @ts-expect-error: the body is missing
  { status: 200 },
  // @ts-expect-error: the body has another type
  { status: 200, body: 1 },
  // @ts-expect-error: the body belongs to another status
  { status: 400, body: 'Read!' },
  // @ts-expect-error: a member of the body is not declared
  { status: 400, body: { error: 'too short', code: 1 } },
  // @ts-expect-error: the header is not declared
  { status: 200, body: 'Read!', headers: { Location: '/' } },
] satisfies AddMottoResponse[]

export const emptyResponses = [{ status: 204 }, { status: 404 }] satisfies RemoveBookResponse[]

export const wrongEmptyResponses = [
  // @ts-expect-error: there is no body
  { status: 204, body: null },
  // @ts-expect-error: the server sends the headers of a deprecation
  { status: 204, headers: { Deprecation: '@0' } },
] satisfies RemoveBookResponse[]

const body = { title: 'Emma', id: 1n, added: '2026-01-02T03:04:05Z' }

export const responsesWithHeaders = [
  { status: 201, body, headers: { Location: '/', 'X-Number': 1n } },
  { status: 201, body, headers: { Location: '/', 'X-Number': 1n, 'X-Draft': true } },
] satisfies AddBookResponse[]

export const responsesWithWrongHeaders = [
  // @ts-expect-error: both required headers are missing
  { status: 201, body },
  // @ts-expect-error: a required header is missing
  { status: 201, body, headers: { Location: '/' } },
  // @ts-expect-error: a header has another type
  { status: 201, body, headers: { Location: '/', 'X-Number': 1 } },
  // @ts-expect-error: an optional header has another type
  { status: 201, body, headers: { Location: '/', 'X-Number': 1n, 'X-Draft': 'true' } },
  // @ts-expect-error: an int64 is a bigint
  { status: 201, body: { ...body, id: 1 }, headers: { Location: '/', 'X-Number': 1n } },
] satisfies AddBookResponse[]

export const responsesWithConstants = [
  { status: 200, body: null },
  { status: 200, body: null, headers: { 'X-Trace': 'abc' } },
  // @ts-expect-error: the server sends a header with a constant value
  { status: 200, body: null, headers: { 'Cache-Control': 'no-store' } },
  // @ts-expect-error: the server sends a header whose enum has one value
  { status: 200, body: null, headers: { Vary: 'Accept' } },
] satisfies FindBooksResponse[]

const pet = { id: 1n, name: 'Rex', categoryId: 1n, status: 'sold' } as const

export const responsesWithLinks = [
  { status: 200, body: pet },
  // A handler may add links to those of the deprecation.
  { status: 200, body: pet, headers: { Link: '</next>; rel="next"' } },
  // @ts-expect-error: the rest of a deprecation is sent by the server alone
  { status: 200, body: pet, headers: { Sunset: 'Thu, 05 Dec 2030 00:00:00 GMT' } },
] satisfies GetPetResponse[]

export function requests(
  find: FindBooksRequest<Caller>,
  add: AddBookRequest<Caller>,
  place: PlaceBookRequest<Caller>,
): unknown[] {
  return [
    // A parameter or member with a default is always there.
    find.query.year.length satisfies number,
    add.body.edition.number satisfies bigint,
    add.header['X-Trace'] satisfies bigint,
    add.header['X-Draft'] satisfies boolean,
    place.path.room satisfies 'attic' | 'cellar',
    place.body?.upright satisfies boolean | undefined,
    // @ts-expect-error: the parameter may be left out
    find.query.author.length,
    // @ts-expect-error: there is no such parameter
    find.query.authors,
    // @ts-expect-error: the operation has no path parameters
    find.path,
    // @ts-expect-error: the operation has no body
    find.body,
    // @ts-expect-error: the body may be left out
    place.body.upright,
    add.caller.name satisfies string,
    // @ts-expect-error: the operation needs no authentication
    find.caller.name,
    find.log.info('found'),
    find.requestId satisfies string,
  ]
}

export function moves({ body }: MoveBookRequest<Caller>): MoveBookResponse {
  switch (body.how) {
    case 'push':
      return { status: 200, body: { how: body.how, steps: (body satisfies Push).steps ?? 1n } }
    case 'lift':
      // @ts-expect-error: it is no Push
      return { status: 200, body: body satisfies Push }
    // @ts-expect-error: there is no such tag
    case 'throw':
      return { status: 400, body: { error: 'too far' } }
  }
}

export function addresses(urls: Urls): string[] {
  return [
    urls.findBooks(),
    urls.findBooks({ query: { author: ['Ada'], order: undefined } }),
    urls.saveReader({ path: { number: 1n } }),
    // @ts-expect-error: there is no such operation
    urls.burnBook(),
    // @ts-expect-error: the path parameter is missing
    urls.saveReader(),
    // @ts-expect-error: the path parameter has another type
    urls.saveReader({ path: { number: 1 } }),
    // @ts-expect-error: the operation has no path parameters
    urls.findBooks({ path: { isbn: '9780000000000' } }),
    // @ts-expect-error: there is no such query parameter
    urls.findBooks({ query: { authors: ['Ada'] } }),
  ]
}

export const routeOptions = {
  getBook: { bodyLimit: 10, config: {}, preHandler: [async () => {}], onSend: async () => 'a' },
} satisfies OpenApiOptions['routes']

// @ts-expect-error: the document has the schemas
export const reservedRouteOption = { getBook: { schema: {} } } satisfies OpenApiOptions['routes']
