// Generated from foreign.yaml; do not edit.
export interface paths {
    "/books": {
        parameters: {
            query?: never;
            header?: {
                /** @description Comes back in the response. */
                "X-Trace"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** Find books */
        get: operations["findBooks"];
        put?: never;
        /** Add a book */
        post: operations["addBook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rooms/{room}/shelves/{shelf}/books/{isbn}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                room: "attic" | "cellar";
                shelf: number;
                isbn: components["schemas"]["Isbn"];
            };
            cookie?: never;
        };
        /** Say where a book stands */
        get: operations["locateBook"];
        /** Put a book in its place */
        put: operations["placeBook"];
        post?: never;
        /**
         * Take a book away
         * @deprecated
         */
        delete: operations["removeBook"];
        options?: never;
        head?: never;
        /** Move a book */
        patch: operations["moveBook"];
        trace?: never;
    };
    "/readers/{number}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                number: components["parameters"]["ReaderNumber"];
            };
            cookie?: never;
        };
        get?: never;
        /** Save a reader */
        put: operations["saveReader"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/catalogue": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Save the catalogue
         * @deprecated
         */
        put: operations["saveCatalogue"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/mottos": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Add a motto */
        post: operations["addMotto"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/things": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Keep a thing */
        post: operations["keepThing"];
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
        /** @description Any JSON. */
        Anything: unknown;
        /** @constant */
        ForAnHour: "max-age=3600";
        /** @description A name, with a capital letter. */
        Name: string;
        Isbn: string;
        /**
         * @default title
         * @enum {string}
         */
        Order: "title" | "year";
        NewBook: {
            title: string;
            /** Format: double */
            price?: number;
            /** Format: int32 */
            pages?: number;
            /** Format: date */
            printed?: string;
            order?: components["schemas"]["Order"];
            /** @default {} */
            edition?: {
                /**
                 * Format: int64
                 * @default 9007199254740991
                 */
                number?: bigint;
                /**
                 * @default soft
                 * @enum {string}
                 */
                cover?: "hard" | "soft";
            };
            /** @default [] */
            tags?: string[];
        };
        Book: components["schemas"]["Kept"] & {
            /** Format: int64 */
            id: bigint;
            /** Format: date-time */
            added: string;
        };
        Kept: {
            title: string;
            edition?: Record<string, unknown>;
        };
        Section: {
            title: string;
            /** Format: int64 */
            number?: bigint | null;
            sections?: components["schemas"]["Section"][];
            parent?: null | components["schemas"]["Section"];
            byLetter?: {
                [key: string]: components["schemas"]["Section"];
            };
        };
        Reader: {
            name: components["schemas"]["Name"];
            /** Format: int64 */
            card: bigint | null;
            fees?: {
                [key: string]: bigint;
            };
            contact?: string | bigint;
            /** @description Whatever the reader likes. */
            preferences?: Record<string, unknown>;
        };
        Push: {
            /** @constant */
            how: "push";
            /** Format: int64 */
            steps?: bigint;
        };
        Lift: {
            /** @constant */
            how: "lift";
            /** Format: int64 */
            steps?: bigint;
        };
    };
    responses: {
        /** @description Something is wrong. */
        Wrong: {
            headers: {
                Deprecation?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    error: string;
                };
            };
        };
    };
    parameters: {
        ReaderNumber: bigint;
    };
    requestBodies: {
        /** @description A book. */
        Book: {
            content: {
                "application/json": components["schemas"]["NewBook"];
            };
        };
    };
    headers: {
        /** @description For how long. */
        Cached: components["schemas"]["ForAnHour"];
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    findBooks: {
        parameters: {
            query?: {
                author?: components["schemas"]["Name"][];
                year?: number[];
                id?: bigint[];
                "max-price"?: number;
                lent?: boolean;
                order?: components["schemas"]["Order"];
                since?: string;
            };
            header?: {
                /** @description Comes back in the response. */
                "X-Trace"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for, as it was understood. */
            200: {
                headers: {
                    "X-Trace"?: string;
                    "Cache-Control": components["headers"]["Cached"];
                    Vary: "Accept";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Anything"];
                };
            };
            400: components["responses"]["Wrong"];
            default: components["responses"]["Wrong"];
        };
    };
    addBook: {
        parameters: {
            query?: never;
            header: {
                /** @description A number here, unlike for the other operations of the path. */
                "X-Trace": bigint;
                "X-Draft"?: boolean;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["Book"];
        responses: {
            /** @description The book. */
            201: {
                headers: {
                    Location: string;
                    "X-Number": bigint;
                    "X-Draft"?: boolean;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Book"];
                };
            };
            400: components["responses"]["Wrong"];
            default: components["responses"]["Wrong"];
        };
    };
    locateBook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                room: "attic" | "cellar";
                shelf: number;
                isbn: components["schemas"]["Isbn"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The place, as it was understood. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        room: string;
                        /** Format: int32 */
                        shelf: number;
                        isbn: components["schemas"]["Isbn"];
                    };
                };
            };
            400: components["responses"]["Wrong"];
            default: components["responses"]["Wrong"];
        };
    };
    placeBook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                room: "attic" | "cellar";
                shelf: number;
                isbn: components["schemas"]["Isbn"];
            };
            cookie?: never;
        };
        /** @description Nothing need be said of it. */
        requestBody?: {
            content: {
                "application/json": {
                    /** @default true */
                    upright?: boolean;
                };
            };
        };
        responses: {
            /** @description What was said. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": string | null;
                };
            };
            400: components["responses"]["Wrong"];
            default: components["responses"]["Wrong"];
        };
    };
    removeBook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                room: "attic" | "cellar";
                shelf: string;
                isbn: components["schemas"]["Isbn"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is gone. */
            204: {
                headers: {
                    Deprecation: string;
                    Link: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It was not there. */
            404: {
                headers: {
                    Deprecation?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Wrong"];
        };
    };
    moveBook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                room: "attic" | "cellar";
                shelf: number;
                isbn: components["schemas"]["Isbn"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Push"] | components["schemas"]["Lift"];
            };
        };
        responses: {
            /** @description How it is moved. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Push"] | components["schemas"]["Lift"];
                };
            };
            400: components["responses"]["Wrong"];
            default: components["responses"]["Wrong"];
        };
    };
    saveReader: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                number: components["parameters"]["ReaderNumber"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Reader"];
            };
        };
        responses: {
            /** @description The reader. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Reader"];
                };
            };
            400: components["responses"]["Wrong"];
            default: components["responses"]["Wrong"];
        };
    };
    saveCatalogue: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Section"];
            };
        };
        responses: {
            /** @description The catalogue. */
            200: {
                headers: {
                    Deprecation?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Section"];
                };
            };
            400: components["responses"]["Wrong"];
            default: components["responses"]["Wrong"];
        };
    };
    addMotto: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": string;
            };
        };
        responses: {
            /** @description The motto. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": string;
                };
            };
            "4XX": components["responses"]["Wrong"];
            "5XX": components["responses"]["Wrong"];
        };
    };
    keepThing: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
                /** @description Every object of JavaScript has something of this name. */
                Constructor?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Anything"];
            };
        };
        responses: {
            /** @description The same. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Anything"];
                };
            };
            400: components["responses"]["Wrong"];
            default: components["responses"]["Wrong"];
        };
    };
}
