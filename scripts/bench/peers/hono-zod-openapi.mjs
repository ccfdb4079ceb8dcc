/**
 * Hono with @hono/zod-openapi, whose schemas are code.
 * @see https://github.com/honojs/middleware/tree/main/packages/zod-openapi#readme
 */
import { serve } from '@hono/node-server'
import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi'
import { bearerAuth } from 'hono/bearer-auth'
import { addPet, address, getPet, isApiKey, listPets } from './pets.mjs'

const Status = z.enum(['available', 'pending', 'sold'])
const NewPet = z
  .object({ name: z.string().min(1).max(255), categoryId: z.int(), status: Status.default('available') })
  .openapi('NewPet')
const Pet = z.object({ id: z.int(), name: z.string(), categoryId: z.int(), status: Status }).openapi('Pet')
const Limit = z.coerce.number().int().min(1).max(100).default(20)
const PetId = z.coerce.number().int().min(1)
const toContent = (schema) => ({ 'application/json': { schema } })
const security = [{ Key: [] }]

const app = new OpenAPIHono()
app.openAPIRegistry.registerComponent('securitySchemes', 'Key', { type: 'http', scheme: 'bearer' })
app.use('/v1/*', bearerAuth({ verifyToken: isApiKey }))
app.openapi(
  createRoute({
    method: 'get',
    path: '/v1/pets',
    security,
    request: { query: z.object({ limit: Limit }) },
    responses: { 200: { description: 'The first animals.', content: toContent(z.array(Pet)) } },
  }),
  (c) => c.json(listPets(c.req.valid('query').limit), 200),
)
app.openapi(
  createRoute({
    method: 'post',
    path: '/v1/pets',
    security,
    request: { body: { required: true, content: toContent(NewPet) } },
    responses: { 201: { description: 'The animal with its id.', content: toContent(Pet) } },
  }),
  (c) => c.json(addPet(c.req.valid('json')), 201),
)
app.openapi(
  createRoute({
    method: 'get',
    path: '/v1/pets/{petId}',
    security,
    request: { params: z.object({ petId: PetId }) },
    responses: {
      200: { description: 'The animal.', content: toContent(Pet) },
      404: { description: 'No animal has this id.' },
    },
  }),
  (c) => {
    const pet = getPet(c.req.valid('param').petId)
    return pet === undefined ? c.body(null, 404) : c.json(pet, 200)
  },
)
serve({ fetch: app.fetch, hostname: address.host, port: address.port })
