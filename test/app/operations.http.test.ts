/** The service does what its document says, whatever the requests: the check that apps of the layer have for their tests. */
import { join } from 'node:path'
import t from 'tap'
import { createKey, hashKey } from '../../src/auth/keys.ts'
import { loadDocument } from '../../src/openapi/index.ts'
import { checkOperations } from '../../src/openapi/testing/index.ts'
import { databases } from '../helpers/databases.ts'
import { send } from '../helpers/http.ts'
import { seed } from '../helpers/random.ts'
import { startService } from '../helpers/service.ts'

const document = await loadDocument(join(import.meta.dirname, '../../openapi.yaml'))

for (const database of databases) {
  t.test(`every operation accepts what the document allows, and nothing else: ${database.name}`, async (t) => {
    const { key, origin, store } = await startService(t, { databaseUrl: await database.fresh(t) })
    const keyWithoutScopes = createKey()
    await store.keys.add('no-rights', hashKey(keyWithoutScopes), { scopes: ['none'] })
    const app = {
      async inject({ method, url, headers, payload }: Parameters<Parameters<typeof checkOperations>[0]['inject']>[0]) {
        const { status, text, ...response } = await send(origin, method, url, {
          headers,
          ...(payload && { body: payload }),
        })
        return { statusCode: status, headers: response.headers, body: text }
      },
    }
    const count = await checkOperations(app, document, {
      basePath: '/v1',
      credentials: { ApiKey: key },
      credentialsWithoutScopes: { ApiKey: keyWithoutScopes },
      // A cursor of the right form may be none.
      expected: { listPets: [400] },
      runs: 60,
      seed,
    })
    t.ok(count > 300, `${count} requests`)
  })
}
