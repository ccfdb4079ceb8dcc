/** What all servers do, beside HTTP and validation: the API key, and animals in memory. */
const { API_KEY, HOST, PETS, PORT } = process.env

const initialPets = JSON.parse(PETS)
const pets = new Map(initialPets.map((pet) => [pet.id, pet]))
let additions = 0

export const address = { host: HOST, port: Number(PORT) }

export function isApiKey(text) {
  return text === API_KEY
}

/** Returns the first animals. A page has at most as many as there are at the start. */
export function listPets(limit) {
  return initialPets.slice(0, limit)
}

export function getPet(id) {
  return pets.get(id)
}

/** Adds an animal. After a thousand, it replaces the oldest one added: otherwise, a fast server takes more memory. */
export function addPet({ name, categoryId, status }) {
  const id = initialPets.length + 1 + (additions++ % 1000)
  const pet = { id, name, categoryId, status }
  pets.set(id, pet)
  return pet
}
