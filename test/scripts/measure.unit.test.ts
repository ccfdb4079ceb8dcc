import t from 'tap'
import { median, percentile, summarize } from '../../scripts/lib/measure.ts'

t.test('the median is the value in the middle, whatever the order they come in', async (t) => {
  t.equal(median([7]), 7)
  t.equal(median([10, 9, 100]), 10)
  t.equal(median([4, 1, 3, 2]), 3)
})

t.test('a percentile is the value below which a share of the values is', async (t) => {
  const values = Array.from({ length: 100 }, (_, index) => 100 - index)
  t.same(
    [0, 0.5, 0.99].map((share) => percentile(values, share)),
    [1, 51, 100],
  )
  t.equal(percentile([10, 9], 0.5), 10)
  t.ok(Number.isNaN(percentile([], 0.5)))
})

t.test('the noise of rounds is half of their range', async (t) => {
  t.same(summarize([4, 1, 2]), { value: 2, noise: 1.5 })
  t.same(summarize([4]), { value: 4, noise: 0 })
})
