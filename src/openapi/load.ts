/** Loads an OpenAPI document: everything that is wrong with it by itself is found here. */
import { checkDocument } from './check/document.ts'
import { type ParsedDocument, parseFile, reportDepth, throwProblems } from './document/parse.ts'
import { createSchemaCompiler, type SchemaCompiler } from './schema/compiler.ts'

/** A document that is completely supported, and consistent. */
export interface OpenApiDocument extends ParsedDocument {
  /** Compiles its schemas into validators. */
  readonly compile: SchemaCompiler
}

/**
 * Loads the document in a YAML 1.2 (or JSON) file. Rejects with a DocumentError that has a line `file:LINE:COL: what is
 * wrong; what to do` for everything that is not YAML, or else not supported, or else inconsistent.
 */
export async function loadDocument(file: string): Promise<OpenApiDocument> {
  const document = parseFile(file)
  const { root } = document
  const compile = createSchemaCompiler(root)
  const problems = reportDepth(document.locate(''), () => checkDocument(root, compile))
  throwProblems(document, problems)
  return { ...document, root: { ...root, paths: root.paths ?? {} }, compile }
}

/** Compiles `supported.yaml`, for `npm run generate`: nothing else waits for the compiler. */
export async function compileSupported(): Promise<string> {
  return (await import('./check/compile.ts')).compileSupported()
}
