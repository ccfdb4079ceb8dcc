/**
 * Numbers as they are written, in decimal: binary fractions would round them.
 */

/** What a number is, exactly: `digits` divided by 10 as often as `places` says (multiplied, where it is negative). */
export interface Decimal {
  readonly digits: bigint
  readonly places: number
}

/** Reads a number in JSON's notation (RFC 8259, section 6), which is JavaScript's as well: `-1.50e3`. */
export function readDecimal(text: string): Decimal {
  const [mantissa = '', exponent = '0'] = text.toLowerCase().split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  return { digits: BigInt(whole + fraction), places: fraction.length - Number(exponent) }
}

/** The digits of a number when it is written with so many places, which are no fewer than it has. */
export function digitsAt({ digits, places }: Decimal, morePlaces: number): bigint {
  return digits * 10n ** BigInt(morePlaces - places)
}
