/**
 * Makes a package of the OpenAPI layer; see `help` below. It has JavaScript, because Node strips no types below node_modules.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import ts from 'typescript'
import { readArguments, runCommand } from '../src/command.ts'

const help = `usage: npm run pack [-- FOLDER]

Makes a package of the OpenAPI layer, as JavaScript with declarations, for another project: see src/openapi/README.md.

Arguments:
  FOLDER       the folder that the package goes to; by default the current one

Options:
  -h, --help   prints this

Example:
  npm run pack -- ../other-project

Exit status: 0 done, 1 not possible, 2 wrong usage.`

const ROOT = join(import.meta.dirname, '..')
const LAYER = join(ROOT, 'src/openapi')

await runCommand(async (args) => {
  const { texts } = readArguments(args, { command: 'npm run pack', help, names: ['[FOLDER]'] })
  const target = resolve(texts[0] ?? '.')
  const folder = mkdtempSync(join(tmpdir(), 'fastify-openapi-first-'))
  try {
    // The folders are those of the repository, because the layer loads a file of `generated/`.
    compile(join(folder, 'src/openapi'))
    // Its entries and its command are JavaScript here.
    const description = readFileSync(join(LAYER, 'package.json'), 'utf8').replaceAll(
      /(?<=")\.\/([^"]*)\.ts(?=")/g,
      './src/openapi/$1.js',
    )
    writeFileSync(join(folder, 'package.json'), description)
    cpSync(join(ROOT, 'generated/supported.js'), join(folder, 'generated/supported.js'))
    cpSync(join(LAYER, 'README.md'), join(folder, 'README.md'))
    cpSync(join(LAYER, 'docs'), join(folder, 'docs'), { recursive: true })
    cpSync(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'))
    execFileSync('npm', ['pack', '--loglevel=warn', '--pack-destination', target, folder], { stdio: 'inherit' })
  } finally {
    rmSync(folder, { recursive: true })
  }
})

/** Compiles the layer into JavaScript and declarations. */
function compile(folder: string): void {
  const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), ts.sys.readFile)
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, LAYER)
  const program = ts.createProgram(globSync(join(LAYER, '**/*.ts')), {
    ...options,
    target: ts.ScriptTarget.ES2023,
    ...{ noEmit: false, noEmitOnError: true, declaration: true, outDir: folder, rootDir: LAYER },
    typeRoots: [join(ROOT, 'node_modules/@types')],
    rewriteRelativeImportExtensions: true,
  })
  if (program.emit().emitSkipped) throw new Error('the layer does not compile; run: npm run types')
}
