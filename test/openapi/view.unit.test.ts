/** What a view says of a value: by all schemas that describe it, and by those of the branches that the value selects. */
import t from 'tap'
import type { OpenApi, Schema } from '../../src/openapi/document/model.ts'
import { createSchemaCompiler } from '../../src/openapi/schema/compiler.ts'

const to = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` })
const int64: Schema = { type: 'integer', format: 'int64' }

const schemas: Readonly<Record<string, Schema>> = {
  NewPet: {
    type: 'object',
    required: ['name'],
    properties: { name: { type: 'string' }, status: { type: 'string', default: 'available' } },
  },
  Pet: { allOf: [to('NewPet')], required: ['id'], properties: { id: { ...int64, readOnly: true } } },
  Cat: { type: 'object', required: ['kind'], properties: { kind: { const: 'cat' }, lives: int64 } },
  Dog: {
    type: 'object',
    required: ['kind'],
    properties: { kind: { enum: ['dog', 'wolf'] }, barks: { type: 'boolean' }, tag: { writeOnly: true } },
  },
  Animal: { oneOf: [to('Cat'), to('Dog'), { type: 'null' }] },
  Tree: { type: 'object', properties: { child: to('Tree'), leaf: { default: 1 } } },
}

const root = { openapi: '3.1.0', info: { title: '', version: '' }, paths: {}, components: { schemas } } as OpenApi
const { views } = createSchemaCompiler(root)

t.test('a view has the schemas behind references and allOf, with their properties', async (t) => {
  const pet = views.get(to('Pet'))
  t.strictSame([...pet.propertyNames].sort(), ['id', 'name', 'status'])
  t.strictSame([...pet.requiredNames].sort(), ['id', 'name'])
  t.equal(pet.property('id').numberType, 'int64')
  t.equal(views.getDefault(pet.property('status')), 'available')
  t.strictSame(pet.types, ['object'])
})

t.test('views of the same schemas are one object, also where a schema contains itself', async (t) => {
  const tree = views.get(to('Tree'))
  t.equal(views.get(to('Tree')), tree)
  t.equal(tree.property('child'), tree)
  t.equal(views.get({ allOf: [] }).property('a'), views.get({}).property('b'))
  // Otherwise, each context of a union compiles the schema of its dispatch anew.
  for (const union of views.get(to('Animal')).branchings) {
    t.equal(views.getDispatch(union, ['id'])?.schema, views.getDispatch(union, [])?.schema)
  }
})

t.test('a value selects its branch by its type, and then by its tag', async (t) => {
  const animal = views.get(to('Animal'))
  const selectAnimal = views.createSelect(animal, 'request')
  t.strictSame([...animal.propertyNames].sort(), ['barks', 'kind', 'lives', 'tag'])
  for (const [value, names] of [
    [null, []],
    [{ kind: 'cat' }, ['kind', 'lives']],
    [{ kind: 'wolf' }, ['barks', 'kind', 'tag']],
  ] as const) {
    t.strictSame([...(selectAnimal(value)?.propertyNames ?? [])].sort(), names)
  }
  t.equal(selectAnimal({ kind: 'cow' }), undefined)
  t.equal(selectAnimal('cat'), undefined)
})

t.test('numbers are those of all schemas, and a mixture where the branches of a union differ', async (t) => {
  const double: Schema = { type: 'number' }
  for (const [schema, type] of [
    [{ allOf: [double, int64] }, 'int64'],
    [{ allOf: [double, { type: 'integer' }] }, 'integer'],
    [{ anyOf: [int64, { type: 'null' }] }, 'int64'],
    [{ anyOf: [int64, double] }, 'mixed'],
    [{ anyOf: [double, { type: 'integer' }] }, 'number'],
    [{ anyOf: [double, {}] }, 'mixed'],
    [{ type: 'string' }, undefined],
  ] as const) {
    t.equal(views.get(schema).numberType, type, JSON.stringify(schema))
  }
})

t.test('a property is hidden in requests by readOnly, and in responses by writeOnly of any branch', async (t) => {
  const readOnly: Schema = { properties: { id: { readOnly: true } } }
  const plain: Schema = { properties: { id: {} } }
  const secret: Schema = { properties: { id: { writeOnly: true } } }
  for (const [schema, hiddenInRequests, hiddenInResponses] of [
    [readOnly, true, false],
    [{ allOf: [plain, readOnly] }, true, false],
    [{ anyOf: [readOnly, readOnly] }, true, false],
    [{ anyOf: [readOnly, plain] }, false, false],
    [{ anyOf: [secret, plain] }, false, true],
  ] as const) {
    const view = views.get(schema)
    t.equal(view.isPropertyHidden('id', 'request'), hiddenInRequests, JSON.stringify(schema))
    t.equal(view.isPropertyHidden('id', 'response'), hiddenInResponses, JSON.stringify(schema))
  }
  t.strictSame(views.get(to('Animal')).getHiddenNames('response'), ['tag'])
})

t.test('the combinations of branches that clients cause are bounded', async (t) => {
  const branches = Array.from({ length: 15 }, (_each, index) => ({
    required: [`m${index}`],
    properties: { [`m${index}`]: {} },
  }))
  const selectView = views.createSelect(views.get({ anyOf: branches }), 'request')
  const select = (number: number) => {
    const names = branches.map((_each, index) => `m${index}`).filter((_each, index) => (number >> index) & 1)
    return selectView(Object.fromEntries(names.map((name) => [name, 1])))
  }
  const firstView = select(3)
  t.equal(select(3), firstView)
  for (let number = 4; number < 32_000; number++) select(number)
  t.not(select(3), firstView)
  t.equal(select(3), select(3))
  t.strictSame([...(select(32_000)?.propertyNames ?? [])].length, 6)
})
