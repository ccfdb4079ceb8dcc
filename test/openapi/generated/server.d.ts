// Generated from foreign.yaml; do not edit.
/** Any JSON. */
export type Anything = unknown

export type ForAnHour = "max-age=3600"

/** A name, with a capital letter. */
export type Name = string

export type Isbn = string

export type Order = "title" | "year"

export type NewBook = {
  title: string;
  price?: number;
  pages?: number;
  printed?: string;
  order: Order;
  /** @default {} */
  edition: {
    /** @default 9007199254740991 */
    number: bigint;
    /** @default soft */
    cover: "hard" | "soft";
  };
  /** @default [] */
  tags: string[];
}

export type Book = Kept & {
  id: bigint;
  added: string;
}

export type Kept = {
  title: string;
  edition?: Record<string, unknown>;
}

export type Section = {
  title: string;
  number?: bigint | null;
  sections?: Section[];
  parent?: null | Section;
  byLetter?: {
    [key: string]: Section;
  };
}

export type Reader = {
  name: Name;
  card: bigint | null;
  fees?: {
    [key: string]: bigint;
  };
  contact?: string | bigint;
  /** Whatever the reader likes. */
  preferences?: Record<string, unknown>;
}

export type Push = {
  how: "push";
  steps?: bigint;
}

export type Lift = {
  how: "lift";
  steps?: bigint;
}

/** The request that the handler of findBooks receives: validated, with defaults filled in. */
export type FindBooksRequest<Caller> = {
  readonly query: {
    readonly author?: Name[]
    readonly year: number[]
    readonly id?: bigint[]
    readonly "max-price"?: number
    readonly lent: boolean
    readonly order: Order
    readonly since?: string
  }
  readonly header: {
    /** Comes back in the response. */
    readonly "X-Trace"?: string
  }
  /** The authenticated client; undefined if there is none. */
  readonly caller: Caller | undefined
  /** Writes log lines that have the id of the request. */
  readonly log: Log
  /** The id of the request in its log lines. */
  readonly requestId: string
  /** Builds the URLs of operations. */
  readonly urls: Urls
}

/** The responses that the handler of findBooks may return. */
export type FindBooksResponse =
  | { readonly status: 200; readonly body: Anything; readonly headers?: { readonly "X-Trace"?: string } }
  | { readonly status: 400; readonly body: { error: string; } }
  | { readonly status: 201 | 202 | 203 | 206 | 207 | 208 | 226 | 300 | 301 | 302 | 303 | 305 | 307 | 308 | 401 | 402 | 403 | 404 | 405 | 406 | 407 | 408 | 409 | 410 | 411 | 412 | 413 | 414 | 415 | 416 | 417 | 418 | 421 | 422 | 423 | 424 | 425 | 426 | 428 | 429 | 431 | 451 | 500 | 501 | 502 | 503 | 504 | 505 | 506 | 507 | 508 | 509 | 510 | 511; readonly body: { error: string; } }

/** The request that the handler of addBook receives: validated, with defaults filled in. */
export type AddBookRequest<Caller> = {
  readonly header: {
    /** A number here, unlike for the other operations of the path. */
    readonly "X-Trace": bigint
    readonly "X-Draft": boolean
  }
  readonly body: NewBook
  /** The authenticated client. */
  readonly caller: Caller
  /** Writes log lines that have the id of the request. */
  readonly log: Log
  /** The id of the request in its log lines. */
  readonly requestId: string
  /** Builds the URLs of operations. */
  readonly urls: Urls
}

/** The responses that the handler of addBook may return. */
export type AddBookResponse =
  | { readonly status: 201; readonly body: Book; readonly headers: { readonly Location: string; readonly "X-Number": bigint; readonly "X-Draft"?: boolean } }
  | { readonly status: 400; readonly body: { error: string; } }
  | { readonly status: 200 | 202 | 203 | 206 | 207 | 208 | 226 | 300 | 301 | 302 | 303 | 305 | 307 | 308 | 401 | 402 | 403 | 404 | 405 | 406 | 407 | 408 | 409 | 410 | 411 | 412 | 413 | 414 | 415 | 416 | 417 | 418 | 421 | 422 | 423 | 424 | 425 | 426 | 428 | 429 | 431 | 451 | 500 | 501 | 502 | 503 | 504 | 505 | 506 | 507 | 508 | 509 | 510 | 511; readonly body: { error: string; } }

/** The request that the handler of locateBook receives: validated, with defaults filled in. */
export type LocateBookRequest<Caller> = {
  readonly path: {
    readonly room: "attic" | "cellar"
    readonly shelf: number
    readonly isbn: Isbn
  }
  /** The authenticated client. */
  readonly caller: Caller
  /** Writes log lines that have the id of the request. */
  readonly log: Log
  /** The id of the request in its log lines. */
  readonly requestId: string
  /** Builds the URLs of operations. */
  readonly urls: Urls
}

/** The responses that the handler of locateBook may return. */
export type LocateBookResponse =
  | { readonly status: 200; readonly body: { room: string; shelf: number; isbn: Isbn; } }
  | { readonly status: 400; readonly body: { error: string; } }
  | { readonly status: 201 | 202 | 203 | 206 | 207 | 208 | 226 | 300 | 301 | 302 | 303 | 305 | 307 | 308 | 401 | 402 | 403 | 404 | 405 | 406 | 407 | 408 | 409 | 410 | 411 | 412 | 413 | 414 | 415 | 416 | 417 | 418 | 421 | 422 | 423 | 424 | 425 | 426 | 428 | 429 | 431 | 451 | 500 | 501 | 502 | 503 | 504 | 505 | 506 | 507 | 508 | 509 | 510 | 511; readonly body: { error: string; } }

/** The request that the handler of placeBook receives: validated, with defaults filled in. */
export type PlaceBookRequest<Caller> = {
  readonly path: {
    readonly room: "attic" | "cellar"
    readonly shelf: number
    readonly isbn: Isbn
  }
  readonly body: { /** @default true */ upright: boolean; } | undefined
  /** The authenticated client. */
  readonly caller: Caller
  /** Writes log lines that have the id of the request. */
  readonly log: Log
  /** The id of the request in its log lines. */
  readonly requestId: string
  /** Builds the URLs of operations. */
  readonly urls: Urls
}

/** The responses that the handler of placeBook may return. */
export type PlaceBookResponse =
  | { readonly status: 200; readonly body: string | null }
  | { readonly status: 400; readonly body: { error: string; } }
  | { readonly status: 201 | 202 | 203 | 206 | 207 | 208 | 226 | 300 | 301 | 302 | 303 | 305 | 307 | 308 | 401 | 402 | 403 | 404 | 405 | 406 | 407 | 408 | 409 | 410 | 411 | 412 | 413 | 414 | 415 | 416 | 417 | 418 | 421 | 422 | 423 | 424 | 425 | 426 | 428 | 429 | 431 | 451 | 500 | 501 | 502 | 503 | 504 | 505 | 506 | 507 | 508 | 509 | 510 | 511; readonly body: { error: string; } }

/** The request that the handler of removeBook receives: validated, with defaults filled in. */
export type RemoveBookRequest<Caller> = {
  readonly path: {
    readonly room: "attic" | "cellar"
    readonly shelf: string
    readonly isbn: Isbn
  }
  /** The authenticated client. */
  readonly caller: Caller
  /** Writes log lines that have the id of the request. */
  readonly log: Log
  /** The id of the request in its log lines. */
  readonly requestId: string
  /** Builds the URLs of operations. */
  readonly urls: Urls
}

/** The responses that the handler of removeBook may return. */
export type RemoveBookResponse =
  | { readonly status: 204; readonly headers?: { readonly Link?: string } }
  | { readonly status: 404 }
  | { readonly status: 200 | 201 | 202 | 203 | 206 | 207 | 208 | 226 | 300 | 301 | 302 | 303 | 305 | 307 | 308 | 400 | 401 | 402 | 403 | 405 | 406 | 407 | 408 | 409 | 410 | 411 | 412 | 413 | 414 | 415 | 416 | 417 | 418 | 421 | 422 | 423 | 424 | 425 | 426 | 428 | 429 | 431 | 451 | 500 | 501 | 502 | 503 | 504 | 505 | 506 | 507 | 508 | 509 | 510 | 511; readonly body: { error: string; } }

/** The request that the handler of moveBook receives: validated, with defaults filled in. */
export type MoveBookRequest<Caller> = {
  readonly path: {
    readonly room: "attic" | "cellar"
    readonly shelf: number
    readonly isbn: Isbn
  }
  readonly body: Push | Lift
  /** The authenticated client. */
  readonly caller: Caller
  /** Writes log lines that have the id of the request. */
  readonly log: Log
  /** The id of the request in its log lines. */
  readonly requestId: string
  /** Builds the URLs of operations. */
  readonly urls: Urls
}

/** The responses that the handler of moveBook may return. */
export type MoveBookResponse =
  | { readonly status: 200; readonly body: Push | Lift }
  | { readonly status: 400; readonly body: { error: string; } }
  | { readonly status: 201 | 202 | 203 | 206 | 207 | 208 | 226 | 300 | 301 | 302 | 303 | 305 | 307 | 308 | 401 | 402 | 403 | 404 | 405 | 406 | 407 | 408 | 409 | 410 | 411 | 412 | 413 | 414 | 415 | 416 | 417 | 418 | 421 | 422 | 423 | 424 | 425 | 426 | 428 | 429 | 431 | 451 | 500 | 501 | 502 | 503 | 504 | 505 | 506 | 507 | 508 | 509 | 510 | 511; readonly body: { error: string; } }

/** The request that the handler of saveReader receives: validated, with defaults filled in. */
export type SaveReaderRequest<Caller> = {
  readonly path: {
    readonly number: bigint
  }
  readonly body: Reader
  /** The authenticated client. */
  readonly caller: Caller
  /** Writes log lines that have the id of the request. */
  readonly log: Log
  /** The id of the request in its log lines. */
  readonly requestId: string
  /** Builds the URLs of operations. */
  readonly urls: Urls
}

/** The responses that the handler of saveReader may return. */
export type SaveReaderResponse =
  | { readonly status: 200; readonly body: Reader }
  | { readonly status: 400; readonly body: { error: string; } }
  | { readonly status: 201 | 202 | 203 | 206 | 207 | 208 | 226 | 300 | 301 | 302 | 303 | 305 | 307 | 308 | 401 | 402 | 403 | 404 | 405 | 406 | 407 | 408 | 409 | 410 | 411 | 412 | 413 | 414 | 415 | 416 | 417 | 418 | 421 | 422 | 423 | 424 | 425 | 426 | 428 | 429 | 431 | 451 | 500 | 501 | 502 | 503 | 504 | 505 | 506 | 507 | 508 | 509 | 510 | 511; readonly body: { error: string; } }

/** The request that the handler of saveCatalogue receives: validated, with defaults filled in. */
export type SaveCatalogueRequest<Caller> = {
  readonly body: Section
  /** The authenticated client. */
  readonly caller: Caller
  /** Writes log lines that have the id of the request. */
  readonly log: Log
  /** The id of the request in its log lines. */
  readonly requestId: string
  /** Builds the URLs of operations. */
  readonly urls: Urls
}

/** The responses that the handler of saveCatalogue may return. */
export type SaveCatalogueResponse =
  | { readonly status: 200; readonly body: Section }
  | { readonly status: 400; readonly body: { error: string; } }
  | { readonly status: 201 | 202 | 203 | 206 | 207 | 208 | 226 | 300 | 301 | 302 | 303 | 305 | 307 | 308 | 401 | 402 | 403 | 404 | 405 | 406 | 407 | 408 | 409 | 410 | 411 | 412 | 413 | 414 | 415 | 416 | 417 | 418 | 421 | 422 | 423 | 424 | 425 | 426 | 428 | 429 | 431 | 451 | 500 | 501 | 502 | 503 | 504 | 505 | 506 | 507 | 508 | 509 | 510 | 511; readonly body: { error: string; } }

/** The request that the handler of addMotto receives: validated, with defaults filled in. */
export type AddMottoRequest<Caller> = {
  readonly body: string
  /** The authenticated client; undefined if there is none. */
  readonly caller: Caller | undefined
  /** Writes log lines that have the id of the request. */
  readonly log: Log
  /** The id of the request in its log lines. */
  readonly requestId: string
  /** Builds the URLs of operations. */
  readonly urls: Urls
}

/** The responses that the handler of addMotto may return. */
export type AddMottoResponse =
  | { readonly status: 200; readonly body: string }
  | { readonly status: 400 | 401 | 402 | 403 | 404 | 405 | 406 | 407 | 408 | 409 | 410 | 411 | 412 | 413 | 414 | 415 | 416 | 417 | 418 | 421 | 422 | 423 | 424 | 425 | 426 | 428 | 429 | 431 | 451; readonly body: { error: string; } }
  | { readonly status: 500 | 501 | 502 | 503 | 504 | 505 | 506 | 507 | 508 | 509 | 510 | 511; readonly body: { error: string; } }

/** The request that the handler of keepThing receives: validated, with defaults filled in. */
export type KeepThingRequest<Caller> = {
  readonly header: {
    readonly "Idempotency-Key"?: string
    /** Every object of JavaScript has something of this name. */
    readonly Constructor?: string
  }
  readonly body: Anything
  /** The authenticated client; undefined if there is none. */
  readonly caller: Caller | undefined
  /** Writes log lines that have the id of the request. */
  readonly log: Log
  /** The id of the request in its log lines. */
  readonly requestId: string
  /** Builds the URLs of operations. */
  readonly urls: Urls
}

/** The responses that the handler of keepThing may return. */
export type KeepThingResponse =
  | { readonly status: 200; readonly body: Anything }
  | { readonly status: 400; readonly body: { error: string; } }
  | { readonly status: 201 | 202 | 203 | 206 | 207 | 208 | 226 | 300 | 301 | 302 | 303 | 305 | 307 | 308 | 401 | 402 | 403 | 404 | 405 | 406 | 407 | 408 | 409 | 410 | 411 | 412 | 413 | 414 | 415 | 416 | 417 | 418 | 421 | 422 | 423 | 424 | 425 | 426 | 428 | 429 | 431 | 451 | 500 | 501 | 502 | 503 | 504 | 505 | 506 | 507 | 508 | 509 | 510 | 511; readonly body: { error: string; } }

/** The handler of each operation; `Caller` is the type of an authenticated client. */
export type Handlers<Caller> = {
  /** Find books */
  findBooks(request: FindBooksRequest<Caller>): Promise<FindBooksResponse>
  /** Add a book */
  addBook(request: AddBookRequest<Caller>): Promise<AddBookResponse>
  /** Say where a book stands */
  locateBook(request: LocateBookRequest<Caller>): Promise<LocateBookResponse>
  /** Put a book in its place */
  placeBook(request: PlaceBookRequest<Caller>): Promise<PlaceBookResponse>
  /** Take a book away (deprecated) */
  removeBook(request: RemoveBookRequest<Caller>): Promise<RemoveBookResponse>
  /** Move a book */
  moveBook(request: MoveBookRequest<Caller>): Promise<MoveBookResponse>
  /** Save a reader */
  saveReader(request: SaveReaderRequest<Caller>): Promise<SaveReaderResponse>
  /** Save the catalogue (deprecated) */
  saveCatalogue(request: SaveCatalogueRequest<Caller>): Promise<SaveCatalogueResponse>
  /** Add a motto */
  addMotto(request: AddMottoRequest<Caller>): Promise<AddMottoResponse>
  /** Keep a thing */
  keepThing(request: KeepThingRequest<Caller>): Promise<KeepThingResponse>
}

/** The types of this document for `openapi` of fastify-openapi-first; `Caller` is the type of an authenticated client. */
export type Api<Caller> = {
  readonly handlers: Handlers<Caller>
  readonly caller: Caller
  /** The security schemes that operations need. */
  readonly schemes: "Librarian"
}

/** Returns the path and query of each operation, from the root of the server. */
export type Urls = {
  findBooks(parameters?: { query?: { readonly author?: Name[] | undefined; readonly year?: number[] | undefined; readonly id?: bigint[] | undefined; readonly "max-price"?: number | undefined; readonly lent?: boolean | undefined; readonly order?: Order | undefined; readonly since?: string | undefined } }): string
  addBook(): string
  locateBook(parameters: { path: { readonly room: "attic" | "cellar"; readonly shelf: number; readonly isbn: Isbn } }): string
  placeBook(parameters: { path: { readonly room: "attic" | "cellar"; readonly shelf: number; readonly isbn: Isbn } }): string
  removeBook(parameters: { path: { readonly room: "attic" | "cellar"; readonly shelf: string; readonly isbn: Isbn } }): string
  moveBook(parameters: { path: { readonly room: "attic" | "cellar"; readonly shelf: number; readonly isbn: Isbn } }): string
  saveReader(parameters: { path: { readonly number: bigint } }): string
  saveCatalogue(): string
  addMotto(): string
  keepThing(): string
}

/** Writes log lines: a message, or fields with one. */
export type Log = Record<'debug' | 'info' | 'warn' | 'error', (fields: object | string, message?: string) => void>
