/** Receives the parts of a multipart form: texts in memory, and files in memory or on disk. */
import type { Readable } from 'node:stream'
import type { SentField } from './fields.ts'
import { createMultipartParser, decodeText, type PartHeader } from './multipart.ts'
import { tooLarge } from './receive.ts'

/** The value of a form field. */
export type FormValue = string | File

/** A file that arrives. */
export interface PartFile {
  write(bytes: Buffer<ArrayBuffer>): void | Promise<void>
  /** Returns the file. Nothing can be written any more. */
  toFile(name: string, type: string): File | Promise<File>
  remove(): void | Promise<void>
}

/** How the parts of a form are received. */
export interface PartReceiver {
  createFile(): PartFile | Promise<PartFile>
  /** True if a part becomes a file. */
  isFile(header: PartHeader): boolean
  readonly maxParts: number
  /** The most bytes of all texts. */
  readonly maxTextBytes: number
}

/** A part that arrives. */
interface OpenPart {
  write: PartFile['write']
  close(): string | File | Promise<File>
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
  const files: PartFile[] = []
  let textBytes = 0

  async function openFile({ fileName = '', contentType: type }: PartHeader): Promise<OpenPart> {
    const file = await createFile()
    files.push(file)
    return { write: file.write, close: () => file.toFile(fileName, type) }
  }

  function openText(): OpenPart {
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

  async function removeFiles(): Promise<void> {
    await Promise.all(files.map((file) => file.remove()))
  }

  try {
    const parser = createMultipartParser(contentType, maxParts)
    let name = ''
    let openPart: OpenPart | undefined
    const closePart = async () => {
      if (openPart !== undefined) fields.push([name, await openPart.close()])
    }
    for await (const chunk of stream) {
      for (const event of parser.push(chunk)) {
        if (event instanceof Uint8Array) {
          await openPart?.write(event)
          continue
        }
        await closePart()
        name = event.name
        openPart = isFile(event) ? await openFile(event) : openText()
      }
    }
    parser.end()
    await closePart()
    return { fields, removeFiles }
  } catch (error) {
    await removeFiles()
    throw error
  }
}

/** Creates a file in memory. */
export function createMemoryFile(): PartFile {
  const pieces: Buffer<ArrayBuffer>[] = []
  return {
    write: (bytes) => void pieces.push(bytes),
    toFile: (name, type) => new File(pieces, name, { type }),
    remove() {},
  }
}
