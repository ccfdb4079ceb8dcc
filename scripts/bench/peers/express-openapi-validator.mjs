/** @see https://cdimascio.github.io/express-openapi-validator-documentation/ */
import express from 'express'
import * as OpenApiValidator from 'express-openapi-validator'
import { addPet, address, getPet, isApiKey, listPets } from './pets.mjs'

const app = express()
app.use(express.json())
app.use(
  OpenApiValidator.middleware({
    apiSpec: 'openapi.yaml',
    validateSecurity: {
      handlers: { Key: (request) => isApiKey(request.headers.authorization.slice('Bearer '.length)) },
    },
  }),
)
app.get('/v1/pets', (request, response) => response.json(listPets(request.query.limit)))
app.post('/v1/pets', (request, response) => response.status(201).json(addPet(request.body)))
app.get('/v1/pets/:petId', (request, response) => {
  const pet = getPet(request.params.petId)
  if (pet === undefined) response.status(404).end()
  else response.json(pet)
})
// Express takes a function with four parameters as an error handler.
app.use((error, _request, response, _next) => {
  response.status(error.status ?? 500).json({ message: error.message, errors: error.errors })
})
app.listen(address.port, address.host)
