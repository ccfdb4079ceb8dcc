import t from 'tap'
import { parseDuration } from '../../scripts/lib/duration.ts'

t.test('a duration is a number with a unit', async (t) => {
  t.equal(parseDuration('30s'), 30_000)
  t.equal(parseDuration('15m'), 900_000)
  t.equal(parseDuration('12h'), 43_200_000)
  t.equal(parseDuration('99999d'), 99_999 * 86_400_000)
  t.equal(parseDuration('0s'), 0)
  for (const text of ['', '9', 'd', '1w', '-1s', '1.5h', '100000d', '01s', '1 h', '1h ']) {
    t.equal(parseDuration(text), undefined, text)
  }
})
