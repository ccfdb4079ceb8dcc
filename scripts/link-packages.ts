/** Gives a copy of the checkout the packages of the original. */
import { mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'

const PACKAGES = join(import.meta.dirname, '../node_modules')

/** Links each package into the folder of a copy. Its OpenAPI layer is its own, also where it is edited. */
export function linkPackages(folder: string): void {
  const copiedPackages = join(folder, 'node_modules')
  mkdirSync(copiedPackages)
  for (const name of readdirSync(PACKAGES)) {
    const target = name === 'fastify-openapi-first' ? '../src/openapi' : join(PACKAGES, name)
    symlinkSync(target, join(copiedPackages, name))
  }
}
