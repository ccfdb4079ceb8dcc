import t from 'tap'
import { median } from '../../scripts/lib/measure.ts'

t.test('the median is the value in the middle, whatever the order they come in', async (t) => {
  t.equal(median([7]), 7)
  t.equal(median([10, 9, 100]), 10)
  t.equal(median([4, 1, 3, 2]), 3)
})
