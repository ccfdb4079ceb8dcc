/**
 * The variables of the environment that set the servers of the spec: their names are those in the spec.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { parseFile } from '../../src/openapi/document/parse.ts'
import { findBaseUrls } from '../../src/openapi/index.ts'
import { contractFile } from '../helpers/service.ts'
import { temporaryFolder } from '../helpers/temporary.ts'

t.test('the base URLs are the server variables whose default is a URL', (t) => {
  t.strictSame(findBaseUrls(parseFile(contractFile)), ['base_url', 'staging_base_url'])
  const servers = `
servers:
  - url: "{api}"
    variables: { api: { default: "http://localhost/v1" } }
  - url: "https://example.com/{path}"
    variables: { path: { default: "v1" } }
  - url: /v1
`
  t.strictSame(findBaseUrls(parseFile(write(t, servers))), ['api'])
  t.end()
})

t.test('a spec that is wrong has no base URLs, and is refused elsewhere', (t) => {
  for (const text of [
    'openapi: 3.1.0',
    'servers: 1',
    'servers: [1, null, { variables: 1 }, { variables: { a: 1, b: null } }]',
  ]) {
    t.strictSame(findBaseUrls(parseFile(write(t, text))), [], text)
  }
  t.end()
})

function write(t: Test, text: string): string {
  const file = join(temporaryFolder(t), 'spec.yaml')
  writeFileSync(file, text)
  return file
}
