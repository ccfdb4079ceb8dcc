/**
 * The layers of the code, and the imports that they allow.
 */
import { globSync, readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import t from 'tap'

const root = join(import.meta.dirname, '..')

/** Returns the files that import a module whose path matches, as `FILE: PATH`. */
function findImports(files: string, pattern: RegExp): string[] {
  return globSync(files, { cwd: root }).flatMap((file) => {
    const paths = readFileSync(join(root, file), 'utf8').matchAll(/(?:from|import\() ?'([^']+)'/g)
    return [...paths].flatMap(([, path = '']) => (pattern.test(path) ? [`${file}: ${path}`] : []))
  })
}

t.test('code outside the OpenAPI layer imports only its index', (t) => {
  const isDeep = /\/openapi\/(?!index\.ts$)/
  t.strictSame(findImports('src/{*,!(openapi)/**/*}.ts', isDeep), [])
  t.strictSame(findImports('scripts/**/*.ts', /src\/openapi\/(?!index\.ts$)/), [])
  t.ok(findImports('src/*.ts', /\/openapi\/index\.ts$/).length > 0)
  t.end()
})

t.test('the OpenAPI layer knows nothing of animals, stores and HTTP stages', (t) => {
  t.strictSame(findImports('src/openapi/**/*.ts', /\/(pets|stores|http|auth|config|app|main)(\/|\.ts)/), [])
  t.end()
})

t.test('imports of src have no circles, not even of types', (t) => {
  const done = new Set<string>()
  /** Returns the circles that begin at a file, as `FILE > FILE`. */
  function findCircles(file: string, trail: readonly string[] = []): string[] {
    if (trail.includes(file)) return [[...trail.slice(trail.indexOf(file)), file].join(' > ')]
    if (done.has(file)) return []
    done.add(file)
    const code = readFileSync(join(root, file), 'utf8')
    const paths = [...code.matchAll(/(?:from|import\() ?'(\.[^']+\.ts)'/g)].map(([, path = '']) => path)
    return paths.flatMap((path) => findCircles(relative(root, resolve(root, file, '..', path)), [...trail, file]))
  }
  t.strictSame(
    globSync('src/**/*.ts', { cwd: root }).flatMap((file) => findCircles(file)),
    [],
  )
  t.ok(done.size > 50)
  t.end()
})
