// docs/examples/client.ts
import { AnimalStoreError, createAnimalStore } from '../../src/client/index.ts'

const { ANIMAL_STORE_URL = 'http://127.0.0.1:3000/v1', ANIMAL_STORE_KEY = '' } = process.env
const store = createAnimalStore({ baseUrl: ANIMAL_STORE_URL, key: ANIMAL_STORE_KEY })

for (const name of ['Rex', 'Mia', 'Łaika']) {
  const pet = await store.add({ name, categoryId: 9007199254740993n, status: 'pending' })
  console.log('added', pet.id, pet.categoryId)
}

for await (const pet of store.pets({ status: 'pending', limit: 2 })) {
  console.log('listed', pet.id, pet.name)
}

try {
  await store.get(9223372036854775807n)
} catch (error) {
  if (!(error instanceof AnimalStoreError)) throw error
  console.log(error.status, error.code, error.requestId)
}
