/**
 * Exact decimal numbers: binary fractions would round them.
 */

/** The number `digits` divided by 10 to the power of `places` (which may be negative). */
export interface Decimal {
  readonly digits: bigint
  readonly places: number
}

/** Parses a number in the notation of JSON (RFC 8259, section 6), which is also JavaScript's: `-1.50e3`. */
export function parseDecimal(text: string): Decimal {
  const [mantissa = '', exponent = '0'] = text.toLowerCase().split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  return { digits: BigInt(whole + fraction), places: fraction.length - Number(exponent) }
}

/** The digits of a number when it is written with `morePlaces`, which are no fewer than it has. */
export function scaleDigits({ digits, places }: Decimal, morePlaces: number): bigint {
  return digits * 10n ** BigInt(morePlaces - places)
}
