/** Receives the parts of a multipart form: texts in memory, and files in memory or on disk. */
import type { Readable } from 'node:stream'
import type { SentField } from './fields.ts'
import { decodeText, type PartHeader, parseMultipart } from './multipart.ts'
import { tooLarge } from './receive.ts'

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
  let name = ''
  let textBytes = 0

  function createText(): Part {
    const pieces: Buffer[] = []
    return {
      write(bytes) {
        textBytes += bytes.length
        if (textBytes > maxTextBytes) throw tooLarge(`has texts of more than ${maxTextBytes} bytes`)
        pieces.push(bytes)
      },
      close: () => decodeText(Buffer.concat(pieces)),
    }
  }

  async function closePart(): Promise<void> {
    const part = parts.at(-1)
    if (part !== undefined) fields.push([name, await part.close()])
  }

  async function removeFiles(): Promise<void> {
    await Promise.all(parts.map((part) => part.remove?.()))
  }

  try {
    for await (const event of parseMultipart(stream.iterator(), contentType, maxParts)) {
      if (event instanceof Uint8Array) await parts.at(-1)?.write(event)
      else {
        await closePart()
        name = event.name
        parts.push(isFile(event) ? await createFile(event) : createText())
      }
    }
    await closePart()
    return { fields, removeFiles }
  } catch (error) {
    stream.destroy()
    await removeFiles()
    throw error
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
