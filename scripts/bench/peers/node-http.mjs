/** A bare `node:http` server, which validates nothing. */
import { createServer } from 'node:http'
import { addPet, address, getPet, isApiKey, listPets } from './pets.mjs'

const server = createServer((request, response) => {
  if (!isApiKey(request.headers.authorization?.slice('Bearer '.length))) return response.writeHead(401).end()
  if (request.method === 'POST') return receivePet(request, response)
  const [path, query] = request.url.split('?')
  if (path === '/v1/pets') return send(response, 200, listPets(Number(new URLSearchParams(query).get('limit') ?? 20)))
  const pet = getPet(Number(path.slice('/v1/pets/'.length)))
  if (pet === undefined) response.writeHead(404).end()
  else send(response, 200, pet)
})
server.listen(address)

function receivePet(request, response) {
  const chunks = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () => send(response, 201, addPet({ status: 'available', ...JSON.parse(Buffer.concat(chunks)) })))
}

function send(response, status, value) {
  const body = JSON.stringify(value)
  const headers = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }
  response.writeHead(status, headers).end(body)
}
