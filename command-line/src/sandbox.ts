import { setTimeout as wait } from 'node:timers/promises'
import { type Scenario, scenarioNames } from '@integrity/protocol'
import type { Command } from './command.ts'
import { clientOf, exitCodes, UsageError } from './terminal.ts'

const isScenario = (name: string): name is Scenario => (scenarioNames as readonly string[]).includes(name)

export const sandbox: Command = {
  name: 'sandbox',
  summary: 'plans an interview with a sandbox key and plays it, in seconds',
  takes: ['SCENARIO'],
  options: { scale: { type: 'string', summary: 'how many times faster than a real one; 600 unless given' } },
  run: async (terminal, { args, values }) => {
    const [scenario = ''] = args
    if (!isScenario(scenario)) throw new UsageError(`a scenario is one of: ${scenarioNames.join(', ')}`)
    const client = clientOf(terminal)
    const { id } = await client.call('sessions.create', { body: {} })
    const params = { id }
    const timeScale = Number(values['scale'] ?? 600)
    let run = await client.call('sandbox.simulate', { params, body: { scenario, timeScale } })
    while (run.status === 'running') {
      await wait(200, undefined, { signal: terminal.signal })
      run = await client.call('sandbox.simulation', { params })
    }
    if (values['json']) terminal.out(JSON.stringify(run))
    else terminal.out(`${id}  ${scenario}  ${run.status}`)
    return run.status === 'done' ? exitCodes.done : exitCodes.failed
  },
}
