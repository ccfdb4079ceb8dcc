/** Finds what the references in the files of a document lead to. */
import { dirname, relative } from 'node:path'
import { isObject } from '../shared/json.ts'
import type { Files, Reason } from './files.ts'
import type { ParsedFile } from './parse.ts'
import { getTargetPointer, getValueAt } from './pointers.ts'
import type { Values } from './values.ts'

/** A value in a file. */
export interface Target {
  readonly file: ParsedFile
  readonly pointer: string
  readonly value: unknown
}

/** An object with a reference. */
type Referrer = Values & { readonly $ref: string }

export function isReferrer(value: unknown): value is Referrer {
  return isObject(value) && typeof value.$ref === 'string'
}

/** True for an object whose only member is `$ref`. */
export function isBareReference(value: unknown): value is Referrer {
  return isReferrer(value) && Object.keys(value).length === 1
}

/**
 * Creates the function that finds the target of a reference in a file. If the target is only another reference, the function follows
 * that, over any number of steps: a.yaml → `b.yaml#/X` → `c.yaml#/Y`. It stops at
 *
 * - a target in the first file, because a value there has a pointer in the document,
 * - a reference that leads nowhere, which is reported where it stands, and
 * - a reference that it has followed.
 */
export function createTargetFinder(firstFile: ParsedFile, files: Files) {
  return ($ref: string, file: ParsedFile): Target | Reason => {
    let target = findNextTarget($ref, file)
    const followedReferrers = new Set<unknown>()
    while (typeof target !== 'string' && target.file !== firstFile && isBareReference(target.value)) {
      if (followedReferrers.has(target.value)) break
      followedReferrers.add(target.value)
      const nextTarget = findNextTarget(target.value.$ref, target.file)
      if (typeof nextTarget === 'string') break
      target = nextTarget
    }
    return target
  }

  /** Finds what a reference in a file leads to in one step. */
  function findNextTarget($ref: string, file: ParsedFile): Target | Reason {
    const [uri = ''] = $ref.split('#', 1)
    const targetFile = uri === '' ? file : files.open(uri, file)
    if (typeof targetFile === 'string') return targetFile
    const pointer = getTargetPointer($ref.slice(uri.length))
    if (!/^(\/|$)/.test(pointer)) return `"${$ref}" is not supported here; write a JSON pointer, as "FILE#/NAME"`
    const value = getValueAt(targetFile.value, pointer)
    if (isObject(value) || typeof value === 'boolean') return { file: targetFile, pointer, value }
    if (value !== undefined) return `"${$ref}" does not lead to an object; change the value or correct the reference`
    if (uri !== '') return `"${$ref}" does not exist; add it or correct the reference`
    const isInFirstFile = getValueAt(firstFile.value, pointer) !== undefined
    const advice = isInFirstFile ? `refer to "${getUri(firstFile, file)}${$ref}"` : 'add it or correct the reference'
    return `"${$ref}" does not exist in this file; ${advice}`
  }
}

/** Returns the relative URI of a file for use in another file. */
function getUri(file: ParsedFile, from: ParsedFile): string {
  return relative(dirname(from.path), file.path).replaceAll('\\', '/')
}
