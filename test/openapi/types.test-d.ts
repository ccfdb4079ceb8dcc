/**
 * What does not compile. Nobody runs this file: `tsc` checks it, and complains of each `@ts-expect-error` behind which
 * there is no error.
 */
import type { Handlers, Input, Output, UrlOf } from '../../src/openapi/types.ts'
import type { Caller } from './engine.ts'
import type { operations } from './generated/server.d.ts'

type Library = Handlers<operations, Caller>

declare const handlers: Library
const { addMotto, ...others } = handlers

export const everyHandler = { ...others, addMotto } satisfies Library

// @ts-expect-error: there is no handler for addMotto
export const missingHandler = { ...others } satisfies Library

// @ts-expect-error: no operation asks for burnBook
export const extraHandler = { ...handlers, burnBook: addMotto } satisfies Library

// @ts-expect-error: the handler answers for another operation
export const swappedHandler = { ...handlers, addMotto: handlers.removeBook } satisfies Library

export const answers = [
  { status: 200, body: 'Read!' },
  { status: 400, body: { error: 'too short' } },
] satisfies Output<operations['addMotto']>[]

export const wrongAnswers = [
  // @ts-expect-error: the status is not declared
  { status: 201, body: 'Read!' },
  // @ts-expect-error: the body is missing
  { status: 200 },
  // @ts-expect-error: the body is of another type
  { status: 200, body: 1 },
  // @ts-expect-error: the body goes with another status
  { status: 400, body: 'Read!' },
  // @ts-expect-error: the body has a member that is not declared
  { status: 400, body: { error: 'too short', code: 1 } },
  // @ts-expect-error: the header is not declared
  { status: 200, body: 'Read!', headers: { Location: '/' } },
] satisfies Output<operations['addMotto']>[]

export const emptyAnswers = [{ status: 204 }, { status: 404 }] satisfies Output<operations['removeBook']>[]

export const wrongEmptyAnswers = [
  // @ts-expect-error: there is no body
  { status: 204, body: null },
  // @ts-expect-error: the headers are those that the server sends by itself
  { status: 204, headers: { Deprecation: '@0' } },
] satisfies Output<operations['removeBook']>[]

const body = { title: 'Emma', id: 1n, added: '2026-01-02T03:04:05Z' }

export const answersWithHeaders = [
  { status: 201, body, headers: { Location: '/', 'X-Number': 1n } },
  { status: 201, body, headers: { Location: '/', 'X-Number': 1n, 'X-Draft': true } },
] satisfies Output<operations['addBook']>[]

export const answersWithWrongHeaders = [
  // @ts-expect-error: both required headers are missing
  { status: 201, body },
  // @ts-expect-error: a required header is missing
  { status: 201, body, headers: { Location: '/' } },
  // @ts-expect-error: a header is of another type
  { status: 201, body, headers: { Location: '/', 'X-Number': 1 } },
  // @ts-expect-error: an optional header is of another type
  { status: 201, body, headers: { Location: '/', 'X-Number': 1n, 'X-Draft': 'true' } },
  // @ts-expect-error: an int64 is a bigint
  { status: 201, body: { ...body, id: 1 }, headers: { Location: '/', 'X-Number': 1n } },
] satisfies Output<operations['addBook']>[]

export const answersOfConstants = [
  { status: 200, body: null },
  { status: 200, body: null, headers: { 'X-Trace': 'abc' } },
  // @ts-expect-error: the one value that the header has is sent by the server
  { status: 200, body: null, headers: { 'Cache-Control': 'no-store' } },
  // @ts-expect-error: so is the one value of an enum
  { status: 200, body: null, headers: { Vary: 'Accept' } },
] satisfies Output<operations['findBooks']>[]

/** One header with several values, one that may be left out and one with a single value that is no text. */
interface Choosing {
  responses: {
    200: { headers: { Mode: 'a' | 'b'; Other?: 'a' | 'b'; Level: 1; On: boolean; [name: string]: unknown } }
  }
}

export const answersWithChoices = [
  { status: 200, headers: { Mode: 'a', On: true } },
  { status: 200, headers: { Mode: 'b', Other: 'a', On: false } },
  // @ts-expect-error: which of the values it is, is for the handler to say
  { status: 200, headers: { On: true } },
  // @ts-expect-error: it is not one of the values
  { status: 200, headers: { Mode: 'c', On: true } },
  // @ts-expect-error: the one value is sent by the server
  { status: 200, headers: { Mode: 'a', On: true, Level: 1 } },
] satisfies Output<Choosing>[]

/** One answer of an operation that is in use, and one of an operation that is deprecated. */
interface Linking {
  responses: {
    200: { headers: { Link: string; 'X-Request-Id': string; [name: string]: unknown } }
    201: { headers: { Deprecation: string; Sunset: string; Link: string; [name: string]: unknown } }
  }
}

export const answersWithLinks = [
  { status: 200, headers: { Link: '</next>; rel="next"' } },
  { status: 201 },
  // @ts-expect-error: where there is no lifecycle, the links are for the handler to say
  { status: 200 },
  { status: 200, headers: { Link: '</next>; rel="next"', 'X-Request-Id': '1' } },
  // @ts-expect-error: what others may send is of the declared type as well
  { status: 200, headers: { Link: '</next>; rel="next"', 'X-Request-Id': 1 } },
  // Those of a lifecycle are sent by the server, with those of the handler.
  { status: 201, headers: { Link: '</next>; rel="next"' } },
  // @ts-expect-error: the rest of a lifecycle is for the server alone to say
  { status: 201, headers: { Sunset: 'Thu, 05 Dec 2030 00:00:00 GMT' } },
] satisfies Output<Linking>[]

export function requests(
  find: Input<operations['findBooks'], Caller>,
  add: Input<operations['addBook'], Caller>,
  put: Input<operations['placeBook'], Caller>,
  keep: Input<operations['keepThing'], Caller>,
): unknown[] {
  return [
    // A default makes a value certain.
    find.query.year.length satisfies number,
    add.body.edition.number satisfies bigint,
    add.header['X-Trace'] satisfies bigint,
    add.header['X-Draft'] satisfies boolean,
    put.path.room satisfies 'attic' | 'cellar',
    put.body?.upright satisfies boolean | undefined,
    // @ts-expect-error: the parameter may be left out
    find.query.author.length,
    // @ts-expect-error: there is no such parameter
    find.query.authors,
    // @ts-expect-error: the operation has no path parameters
    find.path.isbn,
    // @ts-expect-error: the operation takes no body
    find.body.title,
    // @ts-expect-error: the body may be left out
    put.body.upright,
    // @ts-expect-error: the document may come to ask for no caller
    find.caller.name,
    keep.retryWindow satisfies number,
    add.retryWindow satisfies undefined,
    find.retryWindow satisfies undefined,
  ]
}

export function addresses(urlOf: UrlOf<operations>): string[] {
  return [
    urlOf('findBooks', {}),
    urlOf('findBooks', { query: { author: ['Ada'], order: undefined } }),
    urlOf('saveReader', { path: { number: 1n } }),
    // @ts-expect-error: there is no such operation
    urlOf('burnBook', {}),
    // @ts-expect-error: the path parameter is missing
    urlOf('saveReader', {}),
    // @ts-expect-error: the path parameter is of another type
    urlOf('saveReader', { path: { number: 1 } }),
    // @ts-expect-error: the operation has no path parameters
    urlOf('findBooks', { path: { isbn: '9780000000000' } }),
    // @ts-expect-error: there is no such query parameter
    urlOf('findBooks', { query: { authors: ['Ada'] } }),
  ]
}
