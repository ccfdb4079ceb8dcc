// Generated from openapi.yaml; do not edit.
/** Any integer of 64 bits. */
export type Int64 = bigint

/** Unique identifier, assigned by the service on creation; ascending and never reused. */
export type PetId = bigint

/** Id of the category the animal belongs to. The service does not store categories, so it accepts any id. */
export type CategoryId = bigint

/** The animal's name. Any text without control characters. */
export type PetName = string

/** Availability. */
export type PetStatus = "available" | "pending" | "sold"

/** An animal to add. */
export type NewPet = {
  name: PetName;
  categoryId: CategoryId;
  /** @default available */
  status: PetStatus;
}

/** An animal of the catalogue. */
export type Pet = {
  id: PetId;
  name: PetName;
  categoryId: CategoryId;
  status: PetStatus;
}

/** Animals, in ascending order of id. */
export type Pets = Pet[]

/** The body of every response with a status of 400 or more. */
export type ErrorSchema = {
  code: ErrorCode;
  /** What is wrong, for people. The wording may change. */
  message: string;
  /** The HTTP status code of the response. */
  status: number;
}

/** What is wrong, for programs. These codes keep their meaning; new ones may be added. */
export type ErrorCode = "invalid_request" | "malformed_json" | "invalid_cursor" | "missing_key" | "invalid_key" | "insufficient_scope" | "animal_not_found" | "request_in_progress" | "idempotency_key_reused" | "not_found" | "method_not_allowed" | "request_timeout" | "content_too_large" | "unsupported_media_type" | "too_many_requests" | "headers_too_large" | "internal_error" | "service_unavailable"

/** The request that the handler of listPets receives: validated, with defaults filled in. */
export type ListPetsRequest<Caller> = {
  readonly query: {
    /** The maximum number of animals returned. */
    readonly limit: number
    /** Only animals with this status are returned. */
    readonly status?: PetStatus
    /** The position of the page, from the `next` link of the page before. Opaque; do not construct it. */
    readonly cursor?: string
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

/** The responses that the handler of listPets may return. */
export type ListPetsResponse =
  | { readonly status: 200; readonly body: Pet[]; readonly headers?: { readonly Link?: string } }
  | { readonly status: 400; readonly body: ErrorSchema; readonly headers?: { readonly Link?: string } }
  | { readonly status: 401; readonly body: ErrorSchema; readonly headers?: { readonly "WWW-Authenticate"?: string; readonly Link?: string } }
  | { readonly status: 403; readonly body: ErrorSchema; readonly headers?: { readonly "WWW-Authenticate"?: string; readonly Link?: string } }
  | { readonly status: 429; readonly body: ErrorSchema; readonly headers?: { readonly "Retry-After"?: number; readonly Link?: string } }
  | { readonly status: 500; readonly body: ErrorSchema; readonly headers?: { readonly Link?: string } }
  | { readonly status: 503; readonly body: ErrorSchema; readonly headers?: { readonly "Retry-After"?: number; readonly Link?: string } }

/** The request that the handler of createPet receives: validated, with defaults filled in. */
export type CreatePetRequest<Caller> = {
  readonly header: {
    /**
     * Made up by the client for one request, and sent again if the request is repeated
     * (draft-ietf-httpapi-idempotency-key-header). The same key with the same animal gets the first response again, for
     * the number of seconds in `x-idempotency-ttl-seconds`; with another animal it gets 422; while the first request is in
     * progress, 409. The keys of different API keys are independent.
     *
     * 1 to 255 characters: a string in double quotes (RFC 9651, section 3.3.3), such as
     * `"8e03978e-40d5-43e8-bc93-6894a57f9324"`, or the same without quotes, if it has only letters, digits and the
     * characters ``!#$%&*+-./:=@^_`|~``.
     */
    readonly "Idempotency-Key"?: string
  }
  readonly body: NewPet
  /** The authenticated client. */
  readonly caller: Caller
  /** Writes log lines that have the id of the request. */
  readonly log: Log
  /** The id of the request in its log lines. */
  readonly requestId: string
  /** Builds the URLs of operations. */
  readonly urls: Urls
}

/** The responses that the handler of createPet may return. */
export type CreatePetResponse =
  | { readonly status: 201; readonly body: Pet; readonly headers: { readonly Location: string; readonly "Idempotent-Replayed"?: boolean } }
  | { readonly status: 400; readonly body: ErrorSchema; readonly headers?: { readonly Link?: string } }
  | { readonly status: 401; readonly body: ErrorSchema; readonly headers?: { readonly "WWW-Authenticate"?: string; readonly Link?: string } }
  | { readonly status: 403; readonly body: ErrorSchema; readonly headers?: { readonly "WWW-Authenticate"?: string; readonly Link?: string } }
  | { readonly status: 408; readonly body: ErrorSchema; readonly headers?: { readonly Link?: string } }
  | { readonly status: 409; readonly body: ErrorSchema; readonly headers?: { readonly Link?: string } }
  | { readonly status: 413; readonly body: ErrorSchema; readonly headers?: { readonly Link?: string } }
  | { readonly status: 415; readonly body: ErrorSchema; readonly headers?: { readonly Accept?: string; readonly "Accept-Encoding"?: string; readonly Link?: string } }
  | { readonly status: 422; readonly body: ErrorSchema; readonly headers?: { readonly Link?: string } }
  | { readonly status: 429; readonly body: ErrorSchema; readonly headers?: { readonly "Retry-After"?: number; readonly Link?: string } }
  | { readonly status: 500; readonly body: ErrorSchema; readonly headers?: { readonly Link?: string } }
  | { readonly status: 503; readonly body: ErrorSchema; readonly headers?: { readonly "Retry-After"?: number; readonly Link?: string } }

/** The request that the handler of getPet receives: validated, with defaults filled in. */
export type GetPetRequest<Caller> = {
  readonly path: {
    /** The id of the animal. */
    readonly petId: Int64
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

/** The responses that the handler of getPet may return. */
export type GetPetResponse =
  | { readonly status: 200; readonly body: Pet; readonly headers?: { readonly Link?: string } }
  | { readonly status: 400; readonly body: ErrorSchema; readonly headers?: { readonly Link?: string } }
  | { readonly status: 401; readonly body: ErrorSchema; readonly headers?: { readonly "WWW-Authenticate"?: string; readonly Link?: string } }
  | { readonly status: 403; readonly body: ErrorSchema; readonly headers?: { readonly "WWW-Authenticate"?: string; readonly Link?: string } }
  | { readonly status: 404; readonly body: ErrorSchema; readonly headers?: { readonly Link?: string } }
  | { readonly status: 429; readonly body: ErrorSchema; readonly headers?: { readonly "Retry-After"?: number; readonly Link?: string } }
  | { readonly status: 500; readonly body: ErrorSchema; readonly headers?: { readonly Link?: string } }
  | { readonly status: 503; readonly body: ErrorSchema; readonly headers?: { readonly "Retry-After"?: number; readonly Link?: string } }

/** The handler of each operation; `Caller` is the type of an authenticated client. */
export type Handlers<Caller> = {
  /** List animals */
  listPets(request: ListPetsRequest<Caller>): Promise<ListPetsResponse>
  /** Add an animal */
  createPet(request: CreatePetRequest<Caller>): Promise<CreatePetResponse>
  /** Fetch an animal (deprecated) */
  getPet(request: GetPetRequest<Caller>): Promise<GetPetResponse>
}

/** The types of this document for `openapi` of fastify-openapi-first; `Caller` is the type of an authenticated client. */
export type Api<Caller> = {
  readonly handlers: Handlers<Caller>
  readonly caller: Caller
  /** The security schemes that operations need. */
  readonly schemes: "ApiKey"
}

/** Returns the path and query of each operation, from the root of the server. */
export type Urls = {
  listPets(parameters?: { query?: { readonly limit?: number | undefined; readonly status?: PetStatus | undefined; readonly cursor?: string | undefined } }): string
  createPet(): string
  getPet(parameters: { path: { readonly petId: Int64 } }): string
}

/** Writes log lines: a message, or fields with one. */
export type Log = Record<'debug' | 'info' | 'warn' | 'error', (fields: object | string, message?: string) => void>
