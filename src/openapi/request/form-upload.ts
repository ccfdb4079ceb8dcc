/** Multipart forms whose files are written to disk as they arrive (`x-stream`). */
import type { RequestPayload } from 'fastify'
import type { Entries } from './forms.ts'
import { createMultipartParser, decodeText, type PartHeader } from './multipart.ts'
import { type ReceivedBody, receiveChunks, tooLarge } from './receive.ts'
import type { UploadFolder } from './upload-folder.ts'

/** The most bytes of all texts of a form, which are in memory. */
const MAX_TEXT_BYTES = 1024 * 1024

/** A part that is arriving. */
interface OpenPart {
  write(bytes: Buffer): void | Promise<void>
  /** Returns the text or file that the part is. */
  close(): string | Promise<File>
}

/**
 * Receives a form. Resolves with its entries, whose files exist until `end` is called. Rejects with a 400 or 413, or with a 503
 * if a file cannot be stored; then there is no file left. `isFile` tells whether a part becomes a file; `maxFields` is the most parts.
 */
export async function receiveForm(
  payload: RequestPayload,
  { contentType, maxBytes }: { readonly contentType: string; readonly maxBytes: number },
  { isFile, maxFields }: { readonly isFile: (header: PartHeader) => boolean; readonly maxFields: number },
  uploadFolder: UploadFolder,
): Promise<ReceivedBody> {
  const parser = createMultipartParser(contentType, maxFields)
  const entries: Entries[number][] = []
  const removals: (() => Promise<void>)[] = []
  let openPart: (OpenPart & { readonly name: string }) | undefined
  let textBytes = 0

  async function openFile({ fileName = '', contentType }: PartHeader): Promise<OpenPart> {
    const { write, toFile, remove } = await uploadFolder.createFile()
    removals.push(remove)
    return { write, close: () => toFile(fileName, contentType) }
  }

  function openText(): OpenPart {
    const pieces: Buffer[] = []
    return {
      write(bytes) {
        textBytes += bytes.length
        if (textBytes > MAX_TEXT_BYTES) throw tooLarge(`has texts of more than ${MAX_TEXT_BYTES} bytes`)
        pieces.push(bytes)
      },
      close: () => decodeText(Buffer.concat(pieces)),
    }
  }

  async function closePart(): Promise<void> {
    if (openPart !== undefined) entries.push([openPart.name, await openPart.close()])
  }

  async function add(chunk: Buffer<ArrayBuffer>): Promise<void> {
    for (const event of parser.push(chunk)) {
      if (event instanceof Uint8Array) {
        await openPart?.write(event)
      } else {
        await closePart()
        openPart = { name: event.name, ...(isFile(event) ? await openFile(event) : openText()) }
      }
    }
  }

  async function complete(error: Error | undefined): Promise<Entries> {
    if (error !== undefined) throw error
    parser.end()
    await closePart()
    return entries
  }

  async function removeFiles(): Promise<void> {
    await Promise.all(removals.map((remove) => remove()))
  }

  return new Promise((resolve, reject) => {
    const finish = (error?: Error) => {
      complete(error).then(
        (value) => resolve({ value, end: removeFiles }),
        // Rejects when the files are removed; with the error of the removal if that fails.
        (thrown) => removeFiles().then(() => reject(thrown), reject),
      )
    }
    receiveChunks(payload, maxBytes, { add, finish })
  })
}
