/** Navigation in a document, for the other folders of the layer: one import in place of five. */
export * from './find-operations.ts'
export * from './pointers.ts'
export * from './resolve.ts'
export * from './subschemas.ts'
export * from './values.ts'
