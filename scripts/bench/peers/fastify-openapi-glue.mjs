/** @see https://github.com/seriousme/fastify-openapi-glue#readme */
import Fastify from 'fastify'
import openapiGlue from 'fastify-openapi-glue'
import { addPet, address, getPet, isApiKey, listPets } from './pets.mjs'

const app = Fastify()
await app.register(openapiGlue, {
  specification: 'openapi.yaml',
  serviceHandlers: {
    listPets: async (request) => listPets(request.query.limit),
    addPet: async (request, reply) => reply.code(201).send(addPet(request.body)),
    getPet: async (request, reply) => getPet(request.params.petId) ?? reply.code(404).send(),
  },
  securityHandlers: {
    Key: async (request) => {
      if (!isApiKey(request.headers.authorization?.slice('Bearer '.length))) throw new Error('unknown key')
    },
  },
})
await app.listen(address)
