// Generated from openapi.yaml; do not edit.
export interface paths {
    "/pets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List animals
         * @description Returns animals in ascending order of id, at most `limit` of them, as a bare array. If there are more, the response
         *     has a `Link` header with the relation `next` (RFC 8288): follow it as it is. The last page has none. Following the
         *     links returns each animal once, even while others are added.
         */
        get: operations["listPets"];
        put?: never;
        /**
         * Add an animal
         * @description Adds an animal and returns it with the id that the service assigns to it. Ids ascend and are never reused. When
         *     the response is sent, the animal is on disk.
         *
         *     With an `Idempotency-Key`, a request without a response can safely be repeated: it adds no second animal.
         */
        post: operations["createPet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/pets/{petId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Fetch an animal
         * @deprecated
         * @description Returns one animal.
         */
        get: operations["getPet"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * Format: int64
         * @description Any integer of 64 bits.
         */
        Int64: bigint;
        /**
         * Format: int64
         * @description Unique identifier, assigned by the service on creation; ascending and never reused.
         */
        PetId: bigint;
        /**
         * Format: int64
         * @description Id of the category the animal belongs to. The service does not store categories, so it accepts any id.
         */
        CategoryId: bigint;
        /** @description The animal's name. Any text without control characters. */
        PetName: string;
        /**
         * @description Availability.
         * @enum {string}
         */
        PetStatus: "available" | "pending" | "sold";
        /** @description An animal to add. */
        NewPet: {
            name: components["schemas"]["PetName"];
            categoryId: components["schemas"]["CategoryId"];
            /** @default available */
            status?: components["schemas"]["PetStatus"];
        };
        /** @description An animal of the catalogue. */
        Pet: {
            id: components["schemas"]["PetId"];
            name: components["schemas"]["PetName"];
            categoryId: components["schemas"]["CategoryId"];
            status: components["schemas"]["PetStatus"];
        };
        /** @description Animals, in ascending order of id. */
        Pets: components["schemas"]["Pet"][];
        /** @description The body of every response with a status of 400 or more. */
        Error: {
            code: components["schemas"]["ErrorCode"];
            /** @description What is wrong, for people. The wording may change. */
            message: string;
            /**
             * Format: int32
             * @description The HTTP status code of the response.
             */
            status: number;
        };
        /** @description What is wrong, for programs. These codes keep their meaning; new ones may be added. */
        ErrorCode: string;
    };
    responses: {
        /** @description The stored response of the client is up to date; there is no body (RFC 9110, section 15.4.5). */
        NotModified: {
            headers: {
                ETag: components["headers"]["ETag"];
                /** @description The date since which the operation is deprecated, if it is (RFC 9745). */
                Deprecation?: string;
                /** @description The date after which the operation may be removed, if there is one (RFC 8594). */
                Sunset?: string;
                /** @description The documentation of the deprecation, and the replacement, if the operation is deprecated (RFC 8288). */
                Link?: string;
                /**
                 * @description How often the key may still be used in this window, and the seconds until it ends; only if there is a limit
                 *     (draft-ietf-httpapi-ratelimit-headers).
                 * @example "key";r=99;t=60
                 */
                RateLimit?: string;
                /**
                 * @description How often a key may be used in a window, and the length of the window in seconds; only if there is a limit
                 *     (draft-ietf-httpapi-ratelimit-headers).
                 * @example "key";q=100;w=60
                 */
                "RateLimit-Policy"?: string;
                "Cache-Control": components["headers"]["Revalidate"];
                "X-Content-Type-Options": components["headers"]["NoSniff"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description A parameter or the body is not valid; the message lists every violation. */
        BadRequest: {
            headers: {
                /** @description The date since which the operation is deprecated, if it is (RFC 9745). */
                Deprecation?: string;
                /** @description The date after which the operation may be removed, if there is one (RFC 8594). */
                Sunset?: string;
                /** @description The documentation of the deprecation, and the replacement, if the operation is deprecated (RFC 8288). */
                Link?: string;
                /**
                 * @description How often the key may still be used in this window, and the seconds until it ends; only if there is a limit
                 *     (draft-ietf-httpapi-ratelimit-headers).
                 * @example "key";r=99;t=60
                 */
                RateLimit?: string;
                /**
                 * @description How often a key may be used in a window, and the length of the window in seconds; only if there is a limit
                 *     (draft-ietf-httpapi-ratelimit-headers).
                 * @example "key";q=100;w=60
                 */
                "RateLimit-Policy"?: string;
                "Cache-Control": components["headers"]["NoStore"];
                "X-Content-Type-Options": components["headers"]["NoSniff"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": "invalid_request",
                 *       "message": "body.name is required; body.categoryId must be an int64 integer",
                 *       "status": 400
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The API key is missing or not valid. */
        Unauthorized: {
            headers: {
                "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                /** @description The date since which the operation is deprecated, if it is (RFC 9745). */
                Deprecation?: string;
                /** @description The date after which the operation may be removed, if there is one (RFC 8594). */
                Sunset?: string;
                /** @description The documentation of the deprecation, and the replacement, if the operation is deprecated (RFC 8288). */
                Link?: string;
                "Cache-Control": components["headers"]["NoStore"];
                "X-Content-Type-Options": components["headers"]["NoSniff"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": "missing_key",
                 *       "message": "this operation needs an API key: send it as Authorization: Bearer <API_KEY>",
                 *       "status": 401
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The API key lacks a scope that the operation needs (RFC 6750, section 3.1). */
        Forbidden: {
            headers: {
                "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                /** @description The date since which the operation is deprecated, if it is (RFC 9745). */
                Deprecation?: string;
                /** @description The date after which the operation may be removed, if there is one (RFC 8594). */
                Sunset?: string;
                /** @description The documentation of the deprecation, and the replacement, if the operation is deprecated (RFC 8288). */
                Link?: string;
                /**
                 * @description How often the key may still be used in this window, and the seconds until it ends; only if there is a limit
                 *     (draft-ietf-httpapi-ratelimit-headers).
                 * @example "key";r=99;t=60
                 */
                RateLimit?: string;
                /**
                 * @description How often a key may be used in a window, and the length of the window in seconds; only if there is a limit
                 *     (draft-ietf-httpapi-ratelimit-headers).
                 * @example "key";q=100;w=60
                 */
                "RateLimit-Policy"?: string;
                "Cache-Control": components["headers"]["NoStore"];
                "X-Content-Type-Options": components["headers"]["NoSniff"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": "insufficient_scope",
                 *       "message": "the API key lacks the scope pets:write",
                 *       "status": 403
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description No animal has this id. */
        NotFound: {
            headers: {
                /** @description The date since which the operation is deprecated, if it is (RFC 9745). */
                Deprecation?: string;
                /** @description The date after which the operation may be removed, if there is one (RFC 8594). */
                Sunset?: string;
                /** @description The documentation of the deprecation, and the replacement, if the operation is deprecated (RFC 8288). */
                Link?: string;
                /**
                 * @description How often the key may still be used in this window, and the seconds until it ends; only if there is a limit
                 *     (draft-ietf-httpapi-ratelimit-headers).
                 * @example "key";r=99;t=60
                 */
                RateLimit?: string;
                /**
                 * @description How often a key may be used in a window, and the length of the window in seconds; only if there is a limit
                 *     (draft-ietf-httpapi-ratelimit-headers).
                 * @example "key";q=100;w=60
                 */
                "RateLimit-Policy"?: string;
                "Cache-Control": components["headers"]["NoStore"];
                "X-Content-Type-Options": components["headers"]["NoSniff"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": "animal_not_found",
                 *       "message": "no animal has the id 7",
                 *       "status": 404
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body did not arrive in time. */
        RequestTimeout: {
            headers: {
                /** @description The date since which the operation is deprecated, if it is (RFC 9745). */
                Deprecation?: string;
                /** @description The date after which the operation may be removed, if there is one (RFC 8594). */
                Sunset?: string;
                /** @description The documentation of the deprecation, and the replacement, if the operation is deprecated (RFC 8288). */
                Link?: string;
                /**
                 * @description How often the key may still be used in this window, and the seconds until it ends; only if there is a limit
                 *     (draft-ietf-httpapi-ratelimit-headers).
                 * @example "key";r=99;t=60
                 */
                RateLimit?: string;
                /**
                 * @description How often a key may be used in a window, and the length of the window in seconds; only if there is a limit
                 *     (draft-ietf-httpapi-ratelimit-headers).
                 * @example "key";q=100;w=60
                 */
                "RateLimit-Policy"?: string;
                "Cache-Control": components["headers"]["NoStore"];
                "X-Content-Type-Options": components["headers"]["NoSniff"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": "request_timeout",
                 *       "message": "the request did not arrive in time; send it again, without pauses",
                 *       "status": 408
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body is too large. */
        ContentTooLarge: {
            headers: {
                /** @description The date since which the operation is deprecated, if it is (RFC 9745). */
                Deprecation?: string;
                /** @description The date after which the operation may be removed, if there is one (RFC 8594). */
                Sunset?: string;
                /** @description The documentation of the deprecation, and the replacement, if the operation is deprecated (RFC 8288). */
                Link?: string;
                /**
                 * @description How often the key may still be used in this window, and the seconds until it ends; only if there is a limit
                 *     (draft-ietf-httpapi-ratelimit-headers).
                 * @example "key";r=99;t=60
                 */
                RateLimit?: string;
                /**
                 * @description How often a key may be used in a window, and the length of the window in seconds; only if there is a limit
                 *     (draft-ietf-httpapi-ratelimit-headers).
                 * @example "key";q=100;w=60
                 */
                "RateLimit-Policy"?: string;
                "Cache-Control": components["headers"]["NoStore"];
                "X-Content-Type-Options": components["headers"]["NoSniff"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": "content_too_large",
                 *       "message": "the body is larger than 8192 bytes",
                 *       "status": 413
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description A request with the same `Idempotency-Key` is in progress; try again shortly. */
        InProgress: {
            headers: {
                /** @description The date since which the operation is deprecated, if it is (RFC 9745). */
                Deprecation?: string;
                /** @description The date after which the operation may be removed, if there is one (RFC 8594). */
                Sunset?: string;
                /** @description The documentation of the deprecation, and the replacement, if the operation is deprecated (RFC 8288). */
                Link?: string;
                /**
                 * @description How often the key may still be used in this window, and the seconds until it ends; only if there is a limit
                 *     (draft-ietf-httpapi-ratelimit-headers).
                 * @example "key";r=99;t=60
                 */
                RateLimit?: string;
                /**
                 * @description How often a key may be used in a window, and the length of the window in seconds; only if there is a limit
                 *     (draft-ietf-httpapi-ratelimit-headers).
                 * @example "key";q=100;w=60
                 */
                "RateLimit-Policy"?: string;
                "Cache-Control": components["headers"]["NoStore"];
                "X-Content-Type-Options": components["headers"]["NoSniff"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": "request_in_progress",
                 *       "message": "a request with this Idempotency-Key is in progress; try again shortly",
                 *       "status": 409
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The `Idempotency-Key` was used for another animal. */
        KeyReused: {
            headers: {
                /** @description The date since which the operation is deprecated, if it is (RFC 9745). */
                Deprecation?: string;
                /** @description The date after which the operation may be removed, if there is one (RFC 8594). */
                Sunset?: string;
                /** @description The documentation of the deprecation, and the replacement, if the operation is deprecated (RFC 8288). */
                Link?: string;
                /**
                 * @description How often the key may still be used in this window, and the seconds until it ends; only if there is a limit
                 *     (draft-ietf-httpapi-ratelimit-headers).
                 * @example "key";r=99;t=60
                 */
                RateLimit?: string;
                /**
                 * @description How often a key may be used in a window, and the length of the window in seconds; only if there is a limit
                 *     (draft-ietf-httpapi-ratelimit-headers).
                 * @example "key";q=100;w=60
                 */
                "RateLimit-Policy"?: string;
                "Cache-Control": components["headers"]["NoStore"];
                "X-Content-Type-Options": components["headers"]["NoSniff"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": "idempotency_key_reused",
                 *       "message": "this Idempotency-Key was used for another animal; use a new key for a new animal",
                 *       "status": 422
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body is not `application/json` in UTF-8 without a content coding, as its headers say. */
        UnsupportedMediaType: {
            headers: {
                /**
                 * @description The media types that a body may have; only if it has another (RFC 9110, section 12.5.1).
                 * @example application/json
                 */
                Accept?: string;
                /**
                 * @description The content codings that a body may have; only if the body has another (RFC 9110, section 12.5.3).
                 * @example identity
                 */
                "Accept-Encoding"?: string;
                /** @description The date since which the operation is deprecated, if it is (RFC 9745). */
                Deprecation?: string;
                /** @description The date after which the operation may be removed, if there is one (RFC 8594). */
                Sunset?: string;
                /** @description The documentation of the deprecation, and the replacement, if the operation is deprecated (RFC 8288). */
                Link?: string;
                /**
                 * @description How often the key may still be used in this window, and the seconds until it ends; only if there is a limit
                 *     (draft-ietf-httpapi-ratelimit-headers).
                 * @example "key";r=99;t=60
                 */
                RateLimit?: string;
                /**
                 * @description How often a key may be used in a window, and the length of the window in seconds; only if there is a limit
                 *     (draft-ietf-httpapi-ratelimit-headers).
                 * @example "key";q=100;w=60
                 */
                "RateLimit-Policy"?: string;
                "Cache-Control": components["headers"]["NoStore"];
                "X-Content-Type-Options": components["headers"]["NoSniff"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": "unsupported_media_type",
                 *       "message": "send the body as Content-Type: application/json",
                 *       "status": 415
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The key is used more often than its limit allows (RFC 6585, section 4). A request that lacks a scope also counts. */
        TooManyRequests: {
            headers: {
                "Retry-After": components["headers"]["RetryAfter"];
                /** @description The date since which the operation is deprecated, if it is (RFC 9745). */
                Deprecation?: string;
                /** @description The date after which the operation may be removed, if there is one (RFC 8594). */
                Sunset?: string;
                /** @description The documentation of the deprecation, and the replacement, if the operation is deprecated (RFC 8288). */
                Link?: string;
                /**
                 * @description How often the key may still be used in this window, and the seconds until it ends; only if there is a limit
                 *     (draft-ietf-httpapi-ratelimit-headers).
                 * @example "key";r=99;t=60
                 */
                RateLimit?: string;
                /**
                 * @description How often a key may be used in a window, and the length of the window in seconds; only if there is a limit
                 *     (draft-ietf-httpapi-ratelimit-headers).
                 * @example "key";q=100;w=60
                 */
                "RateLimit-Policy"?: string;
                "Cache-Control": components["headers"]["NoStore"];
                "X-Content-Type-Options": components["headers"]["NoSniff"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": "too_many_requests",
                 *       "message": "this key may be used 100 times in 60 seconds; try again in 17 s",
                 *       "status": 429
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The service failed; the request may be repeated. */
        InternalError: {
            headers: {
                /** @description The date since which the operation is deprecated, if it is (RFC 9745). */
                Deprecation?: string;
                /** @description The date after which the operation may be removed, if there is one (RFC 8594). */
                Sunset?: string;
                /** @description The documentation of the deprecation, and the replacement, if the operation is deprecated (RFC 8288). */
                Link?: string;
                /**
                 * @description How often the key may still be used in this window, and the seconds until it ends; only if there is a limit
                 *     (draft-ietf-httpapi-ratelimit-headers).
                 * @example "key";r=99;t=60
                 */
                RateLimit?: string;
                /**
                 * @description How often a key may be used in a window, and the length of the window in seconds; only if there is a limit
                 *     (draft-ietf-httpapi-ratelimit-headers).
                 * @example "key";q=100;w=60
                 */
                "RateLimit-Policy"?: string;
                "Cache-Control": components["headers"]["NoStore"];
                "X-Content-Type-Options": components["headers"]["NoSniff"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": "internal_error",
                 *       "message": "the service failed to respond; the failure is logged",
                 *       "status": 500
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The service cannot respond at the moment. */
        ServiceUnavailable: {
            headers: {
                "Retry-After": components["headers"]["RetryAfter"];
                /** @description The date since which the operation is deprecated, if it is (RFC 9745). */
                Deprecation?: string;
                /** @description The date after which the operation may be removed, if there is one (RFC 8594). */
                Sunset?: string;
                /** @description The documentation of the deprecation, and the replacement, if the operation is deprecated (RFC 8288). */
                Link?: string;
                /**
                 * @description How often the key may still be used in this window, and the seconds until it ends; only if there is a limit
                 *     (draft-ietf-httpapi-ratelimit-headers).
                 * @example "key";r=99;t=60
                 */
                RateLimit?: string;
                /**
                 * @description How often a key may be used in a window, and the length of the window in seconds; only if there is a limit
                 *     (draft-ietf-httpapi-ratelimit-headers).
                 * @example "key";q=100;w=60
                 */
                "RateLimit-Policy"?: string;
                "Cache-Control": components["headers"]["NoStore"];
                "X-Content-Type-Options": components["headers"]["NoSniff"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": "service_unavailable",
                 *       "message": "the catalogue is unavailable at the moment; try again shortly",
                 *       "status": 503
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: {
        /**
         * @description The maximum number of animals returned.
         * @example 20
         */
        Limit: number;
        /** @description Only animals with this status are returned. */
        Status: components["schemas"]["PetStatus"];
        /** @description The position of the page, from the `next` link of the page before. Opaque; do not construct it. */
        Cursor: string;
        /**
         * @description Made up by the client for one request, and sent again if the request is repeated
         *     (draft-ietf-httpapi-idempotency-key-header). The same key with the same animal gets the first response again, for
         *     the number of seconds in `x-idempotency-ttl-seconds`; with another animal it gets 422; while the first request is in
         *     progress, 409. The keys of different API keys are independent.
         *
         *     1 to 255 characters: a string in double quotes (RFC 9651, section 3.3.3), such as
         *     `"8e03978e-40d5-43e8-bc93-6894a57f9324"`, or the same without quotes, if it has only letters, digits and the
         *     characters ``!#$%&*+-./:=@^_`|~``.
         */
        IdempotencyKey: string;
        /**
         * @description The id of the animal.
         * @example 1
         */
        PetIdInPath: components["schemas"]["Int64"];
        /**
         * @description The `ETag` of a response that the client has stored. If the response would have the same `ETag`, it is 304 without a
         *     body (RFC 9110, section 13.1.2).
         * @example "47DEQpj8HBSa-_TImW-5JCeuQeR"
         */
        IfNoneMatch: string;
    };
    requestBodies: never;
    headers: {
        /** @description The animal was added by an earlier request with the same `Idempotency-Key`; absent otherwise. */
        IdempotentReplayed: boolean;
        /**
         * @description The URL of the new animal (RFC 9110, section 10.2.2).
         * @example /v1/pets/1
         */
        Location: string;
        /**
         * @description The next page, under the relation `next` (RFC 8288); absent on the last page.
         * @example </v1/pets?limit=20&cursor=AAAAAAAAABQ>; rel="next"
         */
        NextPage: string;
        /**
         * @description The date since which the operation is deprecated (RFC 9745).
         * @example @1795132800
         */
        Deprecation: string;
        /**
         * @description The date after which the operation may be removed (RFC 8594).
         * @example Thu, 05 Dec 2030 00:00:00 GMT
         */
        Sunset: string;
        /**
         * @description The documentation of the deprecation, and the operation that replaces this one (RFC 8288, RFC 9745, RFC 5829).
         * @example </docs#/Animals/getPet>; rel="deprecation"; type="text/html", </v1/pets>; rel="successor-version"
         */
        DeprecationLinks: string;
        /** @description The date since which the operation is deprecated, if it is (RFC 9745). */
        DeprecationIfAny: string;
        /** @description The date after which the operation may be removed, if there is one (RFC 8594). */
        SunsetIfAny: string;
        /** @description The documentation of the deprecation, and the replacement, if the operation is deprecated (RFC 8288). */
        DeprecationLinksIfAny: string;
        /**
         * @description Identifies exactly this response (RFC 9110, section 8.8.3); send it as `If-None-Match` to revalidate.
         * @example "47DEQpj8HBSa-_TImW-5JCeuQeR"
         */
        ETag: string;
        /** @description Only the client itself may cache the response, and must revalidate it each time (RFC 9111). */
        Revalidate: "private, no-cache";
        /** @description Errors must not be cached (RFC 9111). */
        NoStore: "no-store";
        /** @description The media type is what Content-Type says. */
        NoSniff: "nosniff";
        /**
         * @description Identifies this request in the logs of the service; include it in requests for support.
         * @example 0198c0de-7a52-7c3f-9a4e-1d2c3b4a5968
         */
        RequestId: string;
        /**
         * @description The media types that a body may have; only if it has another (RFC 9110, section 12.5.1).
         * @example application/json
         */
        Accept: string;
        /**
         * @description The content codings that a body may have; only if the body has another (RFC 9110, section 12.5.3).
         * @example identity
         */
        AcceptEncoding: string;
        /**
         * @description How to authenticate (RFC 6750, section 3); with `error="invalid_token"` only if a key was sent.
         * @example Bearer realm="Animal Store"
         */
        WwwAuthenticate: string;
        /**
         * @description The number of seconds after which the request may be repeated (RFC 9110, section 10.2.3).
         * @example 1
         */
        RetryAfter: number;
        /**
         * @description How often the key may still be used in this window, and the seconds until it ends; only if there is a limit
         *     (draft-ietf-httpapi-ratelimit-headers).
         * @example "key";r=99;t=60
         */
        RateLimit: string;
        /**
         * @description How often a key may be used in a window, and the length of the window in seconds; only if there is a limit
         *     (draft-ietf-httpapi-ratelimit-headers).
         * @example "key";q=100;w=60
         */
        RateLimitPolicy: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listPets: {
        parameters: {
            query?: {
                /**
                 * @description The maximum number of animals returned.
                 * @example 20
                 */
                limit?: components["parameters"]["Limit"];
                /** @description Only animals with this status are returned. */
                status?: components["parameters"]["Status"];
                /** @description The position of the page, from the `next` link of the page before. Opaque; do not construct it. */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: {
                /**
                 * @description The `ETag` of a response that the client has stored. If the response would have the same `ETag`, it is 304 without a
                 *     body (RFC 9110, section 13.1.2).
                 * @example "47DEQpj8HBSa-_TImW-5JCeuQeR"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of animals. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    /**
                     * @description The next page, under the relation `next` (RFC 8288); absent on the last page.
                     * @example </v1/pets?limit=20&cursor=AAAAAAAAABQ>; rel="next"
                     */
                    Link?: string;
                    /**
                     * @description How often the key may still be used in this window, and the seconds until it ends; only if there is a limit
                     *     (draft-ietf-httpapi-ratelimit-headers).
                     * @example "key";r=99;t=60
                     */
                    RateLimit?: string;
                    /**
                     * @description How often a key may be used in a window, and the length of the window in seconds; only if there is a limit
                     *     (draft-ietf-httpapi-ratelimit-headers).
                     * @example "key";q=100;w=60
                     */
                    "RateLimit-Policy"?: string;
                    "Cache-Control": components["headers"]["Revalidate"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Pets"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createPet: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Made up by the client for one request, and sent again if the request is repeated
                 *     (draft-ietf-httpapi-idempotency-key-header). The same key with the same animal gets the first response again, for
                 *     the number of seconds in `x-idempotency-ttl-seconds`; with another animal it gets 422; while the first request is in
                 *     progress, 409. The keys of different API keys are independent.
                 *
                 *     1 to 255 characters: a string in double quotes (RFC 9651, section 3.3.3), such as
                 *     `"8e03978e-40d5-43e8-bc93-6894a57f9324"`, or the same without quotes, if it has only letters, digits and the
                 *     characters ``!#$%&*+-./:=@^_`|~``.
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewPet"];
            };
        };
        responses: {
            /** @description The animal as it is stored. */
            201: {
                headers: {
                    Location: components["headers"]["Location"];
                    /** @description The animal was added by an earlier request with the same `Idempotency-Key`; absent otherwise. */
                    "Idempotent-Replayed"?: boolean;
                    /**
                     * @description How often the key may still be used in this window, and the seconds until it ends; only if there is a limit
                     *     (draft-ietf-httpapi-ratelimit-headers).
                     * @example "key";r=99;t=60
                     */
                    RateLimit?: string;
                    /**
                     * @description How often a key may be used in a window, and the length of the window in seconds; only if there is a limit
                     *     (draft-ietf-httpapi-ratelimit-headers).
                     * @example "key";q=100;w=60
                     */
                    "RateLimit-Policy"?: string;
                    "Cache-Control": components["headers"]["Revalidate"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 1,
                     *       "name": "Rex",
                     *       "categoryId": 1,
                     *       "status": "available"
                     *     }
                     */
                    "application/json": components["schemas"]["Pet"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["InProgress"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getPet: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of a response that the client has stored. If the response would have the same `ETag`, it is 304 without a
                 *     body (RFC 9110, section 13.1.2).
                 * @example "47DEQpj8HBSa-_TImW-5JCeuQeR"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The id of the animal.
                 * @example 1
                 */
                petId: components["parameters"]["PetIdInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The animal. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    Link: components["headers"]["DeprecationLinks"];
                    /**
                     * @description How often the key may still be used in this window, and the seconds until it ends; only if there is a limit
                     *     (draft-ietf-httpapi-ratelimit-headers).
                     * @example "key";r=99;t=60
                     */
                    RateLimit?: string;
                    /**
                     * @description How often a key may be used in a window, and the length of the window in seconds; only if there is a limit
                     *     (draft-ietf-httpapi-ratelimit-headers).
                     * @example "key";q=100;w=60
                     */
                    "RateLimit-Policy"?: string;
                    "Cache-Control": components["headers"]["Revalidate"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 1,
                     *       "name": "Rex",
                     *       "categoryId": 1,
                     *       "status": "available"
                     *     }
                     */
                    "application/json": components["schemas"]["Pet"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
}
