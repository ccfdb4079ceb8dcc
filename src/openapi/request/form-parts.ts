/** Receives the parts of a multipart form: texts in memory, and files in memory or on disk. */
import type { Readable } from 'node:stream'
import type { SentField } from './field-parsers.ts'
import { parseMultipart } from './multipart.ts'
import type { PartHeader } from './part-header.ts'
import { decodeTextBody, tooLarge } from './receive.ts'

/** The value of a form field. */
export type FormValue = string | File

/** A part that arrives. */
export interface Part {
  write(bytes: Buffer<ArrayBuffer>): void | Promise<void>
  /** Returns the value of the field. Nothing can be written any more. */
  close(): FormValue | Promise<FormValue>
  /** Removes the file on disk. */
  remove?(): Promise<void>
}

/** How the parts of a form are received. */
export interface PartReceiver {
  /** True if a part becomes a file. */
  isFile(header: PartHeader): boolean
  createFile(header: PartHeader): Part | Promise<Part>
  readonly maxParts: number
  /** The most bytes of all texts. */
  readonly maxTextBytes: number
}

/**
 * Receives the parts of a form with this Content-Type. Rejects with a 400 or 413, or with what `createFile` and the file reject with;
 * then there is no file left.
 */
export async function receiveParts(
  stream: Readable,
  contentType: string,
  { createFile, isFile, maxParts, maxTextBytes }: PartReceiver,
): Promise<{ readonly fields: readonly SentField<FormValue>[]; removeFiles(): Promise<void> }> {
  const fields: SentField<FormValue>[] = []
  const parts: Part[] = []
  const createText = createTextFactory(maxTextBytes)
  let closePart = async () => {}
  const removeFiles = async () => void (await Promise.all(parts.map((part) => part.remove?.())))
  try {
    for await (const event of parseMultipart(stream, contentType, maxParts)) {
      if (event instanceof Uint8Array) {
        await parts.at(-1)?.write(event)
        continue
      }
      await closePart()
      const part = isFile(event) ? await createFile(event) : createText()
      parts.push(part)
      closePart = async () => void fields.push([event.name, await part.close()])
    }
    await closePart()
    return { fields, removeFiles }
  } catch (error) {
    stream.destroy()
    await removeFiles()
    throw error
  }
}

/** Creates the function that creates texts, whose total size is limited. */
function createTextFactory(maxBytes: number): () => Part {
  let byteCount = 0
  return () => {
    const pieces: Buffer[] = []
    return {
      write(bytes) {
        byteCount += bytes.length
        if (byteCount > maxBytes) throw tooLarge(`has texts of more than ${maxBytes} bytes`)
        pieces.push(bytes)
      },
      close: () => decodeTextBody(Buffer.concat(pieces), 'body has a text that'),
    }
  }
}

/** Creates a file in memory. */
export function createMemoryFile({ fileName = '', contentType: type }: PartHeader): Part {
  const pieces: Buffer<ArrayBuffer>[] = []
  return {
    write: (bytes) => void pieces.push(bytes),
    close: () => new File(pieces, fileName, { type }),
  }
}
