/**
 * Makes a package of the OpenAPI layer and the generator of types; see `help` below. It has JavaScript, because Node strips no
 * types below node_modules.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import ts from 'typescript'
import { readArguments, runCommand } from '../src/command.ts'

const help = `usage: npm run pack [-- FOLDER]

Makes a package of the OpenAPI layer and the generator of types, as JavaScript, for another project: see docs/plugin.md.

Arguments:
  FOLDER       the folder that the file animal-store-VERSION.tgz goes to; by default the current one

Options:
  -h, --help   prints this

Example:
  npm run pack -- ../other-project

Exit status: 0 done, 1 not possible, 2 wrong usage.`

const ENTRIES = ['src/openapi/index.ts', 'scripts/generate.ts']

await runCommand(async (args) => {
  const { texts } = readArguments(args, { command: 'npm run pack', help, names: ['[FOLDER]'] })
  const target = resolve(texts[0] ?? '.')
  process.chdir(join(import.meta.dirname, '..'))
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-pack-'))
  try {
    writeFileSync(join(folder, 'package.json'), JSON.stringify(describe(compile(folder)), undefined, 2))
    cpSync('generated/supported.js', join(folder, 'generated/supported.js'))
    // Without links to pages that are not in the package.
    const page = readFileSync('docs/plugin.md', 'utf8').replaceAll(/\[([^\]]+)\]\([^)]+\.md[^)]*\)/g, '$1')
    writeFileSync(join(folder, 'README.md'), page)
    cpSync('LICENSE', join(folder, 'LICENSE'))
    execFileSync('npm', ['pack', '--loglevel=warn', '--pack-destination', target, folder], { stdio: 'inherit' })
  } finally {
    rmSync(folder, { recursive: true })
  }
})

/** Writes the JavaScript and the declarations; returns the names of the packages that they import. */
function compile(folder: string): ReadonlySet<string> {
  const emitted = { noEmit: false, noEmitOnError: true, declaration: true, outDir: folder, rootDir: '.' }
  const compilerOptions = { ...emitted, target: 'es2023', rewriteRelativeImportExtensions: true }
  const { options } = ts.convertCompilerOptionsFromJson(
    { ...readJson('tsconfig.json').compilerOptions, ...compilerOptions },
    '.',
  )
  const program = ts.createProgram(ENTRIES, options)
  if (program.emit().emitSkipped) throw new Error('the layer does not compile; run: npm run types')
  const sources = program.getSourceFiles().filter((file) => !file.fileName.includes('/node_modules/'))
  const imported = sources.flatMap(({ text }) => ts.preProcessFile(text).importedFiles)
  return new Set(imported.map(({ fileName }) => fileName.replace(/^((?:@[^/]+\/)?[^/]+).*/, '$1')))
}

/** Returns the package.json. The host brings Fastify; all other packages have the versions with which the layer is tested. */
function describe(imported: ReadonlySet<string>): object {
  const { name, version, license, type, dependencies, devDependencies } = readJson('package.json')
  const needed = Object.entries({ ...dependencies, ...devDependencies }).filter(([dependency]) =>
    imported.has(dependency),
  )
  const { fastify, ...otherDependencies } = Object.fromEntries(needed)
  const [index, generator] = ENTRIES.map((file) => `./${file.replace(/ts$/, 'js')}`)
  return {
    ...{ name, version, license, type, description: 'A Fastify plugin with a route for each operation of OpenAPI.' },
    engines: { node: '>=22.12' },
    exports: { './openapi': index },
    bin: { 'generate-types': generator },
    dependencies: otherDependencies,
    peerDependencies: { fastify: `^${fastify}` },
  }
}

function readJson(file: string) {
  return JSON.parse(readFileSync(file, 'utf8'))
}
