/** The interface of the body parsers: each kind of body has one, in a file that is named for it. */
import type { RequestPayload } from 'fastify'
import type { Body } from '../document/operations.ts'
import type { SchemaCompiler } from '../schema/compiler.ts'
import type { Violation } from '../shared/errors.ts'
import type { ReceiveDone } from './receive.ts'
import type { UploadFolder } from './upload-folder.ts'

/** Receives, parses and validates the bodies of a media type. */
export interface BodyParser {
  /** True with `x-stream`: the handler reads the body while it arrives, or the files of a form are on disk. */
  readonly isStreamed?: boolean
  /** True if `receive` passes on a stream, which a content type parser of the app parses. */
  readonly isParsedByApp?: boolean
  /** Receives and parses a body with this Content-Type. The error is a 400, 413 or 503. `onEnd` is given if `isStreamed`. */
  receive(payload: RequestPayload, contentType: string, done: ReceiveDone, onEnd?: OnEnd): void
  /** Returns the body for the handler; adds what is wrong with the parsed body to `violations`. */
  validate(parsedBody: unknown, violations: Violation[]): unknown
}

/** Registers a function to call when the upload has ended: it discards the unread bytes of the body, or removes its files. */
export type OnEnd = (end: () => void | Promise<void>) => void

/** What all media types of a body have in common. */
export interface BodyContext extends Pick<Body, 'maxBytes' | 'maxDepth'> {
  readonly compile: SchemaCompiler
  readonly uploadFolder: UploadFolder
}
