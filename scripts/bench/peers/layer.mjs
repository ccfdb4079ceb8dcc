/** The OpenAPI layer of this checkout, as its README says. */
import Fastify from 'fastify'
import { loadDocument, openapi } from 'fastify-openapi-first'
import { addPet, address, getPet, isApiKey, listPets } from './pets.mjs'

const app = Fastify()
await app.register(openapi, {
  document: await loadDocument('openapi.yaml'),
  handlers: {
    listPets: async ({ query }) => ({ status: 200, body: listPets(query.limit) }),
    addPet: async ({ body }) => ({ status: 201, body: addPet(body) }),
    getPet: async ({ path }) => {
      const pet = getPet(path.petId)
      return pet === undefined ? { status: 404 } : { status: 200, body: pet }
    },
  },
  security: { Key: (credential) => (isApiKey(credential) ? { id: '1', name: 'bench' } : undefined) },
})
await app.listen(address)
