/**
 * The alerts in docs/alerts.yaml, checked and tested with promtool.
 */
import { join } from 'node:path'
import t from 'tap'
import { startCommand } from '../helpers/process.ts'
import { findProgram, skipLoudly } from '../helpers/program.ts'

const promtool = findProgram('promtool')
if (promtool === undefined) {
  skipLoudly('the alerts', 'THE ALERTS ARE NOT TESTED: there is no promtool; install the package prometheus')
} else {
  t.test('the alerts are valid, fire in trouble, and are quiet on a healthy day', async (t) => {
    const alerts = join(import.meta.dirname, '../../docs/alerts.yaml')
    const checked = await startCommand(t, [promtool, 'check', 'rules', alerts]).ended
    t.match(checked, { status: 0, stderr: '' })
    const tested = await startCommand(t, [promtool, 'test', 'rules', `${import.meta.dirname}/alerts.promtool.yaml`])
      .ended
    t.match(tested, { status: 0, stdout: /SUCCESS/ })
  })
}
