/** Data of tests in YAML. */
import { readFileSync } from 'node:fs'
import { parse, type ScalarTag } from 'yaml'

/** Otherwise, a number would round the integers that have more than 53 bits. */
const integer: ScalarTag = {
  tag: 'tag:yaml.org,2002:int',
  default: true,
  test: /^[-+]?[0-9]+$/,
  resolve: (text) => (Number.isSafeInteger(Number(text)) ? Number(text) : BigInt(text)),
}

/** What JSON has no value for. */
const others: readonly ScalarTag[] = [
  { tag: '!int64', resolve: (text) => BigInt(text) },
  { tag: '!undefined', resolve: () => undefined },
]

/**
 * Parses YAML. An integer that a number would round is a bigint, and so is `!int64 1`; `!undefined` is undefined.
 */
export function parseYaml<Value>(text: string): Value {
  return parse(text, { customTags: (tags) => [integer, ...others, ...tags] })
}

/** Parses a YAML file. */
export function readYaml<Value>(file: string): Value {
  return parseYaml(readFileSync(file, 'utf8'))
}
