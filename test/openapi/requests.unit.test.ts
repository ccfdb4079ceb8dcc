/** Documents, and requests to each over a real socket: those of `requests/*.yaml`. */
import { globSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import type { OpenApi } from '../../src/openapi/document/model.ts'
import { readYaml } from '../helpers/yaml.ts'
import { expectListed, type ListedRequest, startNoting } from './requests.ts'

interface Case {
  readonly name: string
  readonly document: OpenApi
  /** What the handlers return as the body. */
  readonly returned?: unknown
  readonly requests: readonly ListedRequest[]
}

for (const file of globSync(join(import.meta.dirname, 'requests/*.yaml')).toSorted()) {
  for (const { name, document, returned, requests } of readYaml<Case[]>(file)) {
    t.test(name, async (t) => {
      const layer = await startNoting(t, document, { returned })
      await expectListed(t, layer, layer.received, requests)
    })
  }
}
