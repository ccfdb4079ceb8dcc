/**
 * Writes log lines to a file descriptor: perhaps a file on a full disk, a closed pipe, or a pipe whose reader has stopped
 * reading. None of them stops the service: lines are written in the background, and dropped if they cannot be written.
 */
import { constants, fstatSync, openSync, write, writeSync } from 'node:fs'
import { Socket } from 'node:net'

/** The time that lines wait for others, in milliseconds: a write of many costs little more than a write of one. */
const DELAY_MS = 5
/** The number of waiting characters above which lines are written at once. */
const FULL = 16 * 1024
/** The pause after a write that failed, in milliseconds. */
const RETRY_MS = 100
/** The number of waiting characters above which lines are dropped. */
const MAX_WAITING = 1024 * 1024

/** `formatDropped` makes the line that is written after lines were dropped, when lines can be written again. */
export function createLogDestination(fd: number, formatDropped: (count: number) => string) {
  const target = openNonBlocking(fd)
  let waiting = ''
  /** The numbers of lines that were dropped so far, and of those that the log mentions. */
  let dropped = 0
  let reported = 0
  /** The bytes that are being written, or that an error has kept from being written. */
  let chunk = Buffer.alloc(0)
  let isWriting = false
  let timer: NodeJS.Timeout | undefined

  function schedule(delayMs: number): void {
    timer ??= setTimeout(writeChunk, delayMs).unref()
  }

  function writeChunk(): void {
    clearTimeout(timer)
    timer = undefined
    if (isWriting) return
    if (chunk.length === 0) takeWaiting()
    isWriting = true
    write(target, chunk, (error, written) => {
      isWriting = false
      if (error === null) chunk = chunk.subarray(written)
      if (error !== null) schedule(RETRY_MS)
      else if (chunk.length > 0 || waiting !== '') schedule(0)
    })
  }

  function takeWaiting(): void {
    if (dropped > reported) waiting += formatDropped(dropped - reported)
    reported = dropped
    chunk = Buffer.from(waiting)
    waiting = ''
  }

  return {
    /** Takes a line, which ends in a newline. */
    write: (line: string): void => {
      if (waiting.length > MAX_WAITING) {
        dropped++
        return
      }
      waiting += line
      if (waiting.length > FULL && !isWriting && chunk.length === 0) writeChunk()
      else schedule(DELAY_MS)
    },

    /** Writes what waits at once, as far as that is possible: for the end of the process. */
    flushSync: (): void => {
      // The background finishes what it is writing.
      if (isWriting) chunk = Buffer.alloc(0)
      try {
        while (chunk.length > 0 || waiting !== '') {
          if (chunk.length === 0) takeWaiting()
          chunk = chunk.subarray(writeSync(target, chunk))
        }
      } catch {
        // The process ends: there is no place left to report the error.
      }
    },

    /** Returns how many lines were dropped so far. */
    getDropped: () => dropped,
  }
}

/**
 * Returns a descriptor for the same output whose writes do not block: the process could not exit until a stuck reader reads
 * on. A pipe or terminal is opened again, because other programs may have it too. Returns a file as it is.
 */
function openNonBlocking(fd: number): number {
  try {
    const stats = fstatSync(fd)
    // libuv makes the descriptors of its sockets non-blocking.
    if (stats.isSocket()) new Socket({ fd, readable: false }).unref()
    if (!stats.isFIFO() && !stats.isCharacterDevice()) return fd
    return openSync(`/proc/self/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY)
  } catch {
    // The system has no /proc, or the pipe has no reader.
    return fd
  }
}
