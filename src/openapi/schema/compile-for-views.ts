/** Compiles functions of views, such as converters and writers, of which those of recursive schemas call themselves. */
import { memoize } from '../document/values.ts'
import type { SchemaView } from './view.ts'

/** A function that is compiled when it is called first, and is called directly afterwards. */
export interface Lazy<Args extends unknown[], Result> {
  run(...args: Args): Result
}

/** Compiles a function for each view once, at its first call: views may contain themselves. */
export function compileForViews<Args extends unknown[], Result>(
  compile: (view: SchemaView) => (...args: Args) => Result,
): (view: SchemaView) => Lazy<Args, Result> {
  return memoize((view: SchemaView) => {
    const lazy: Lazy<Args, Result> = {
      run(...args) {
        lazy.run = compile(view)
        return lazy.run(...args)
      },
    }
    return lazy
  })
}
