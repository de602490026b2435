import { clientId, integrityEventKinds, observations, scenarioNames } from '@integrity/protocol'
import { describe, expect, it } from 'vitest'
import { createIds } from '../../../platform/ids.ts'
import { clientIdOf } from './sandbox.moment.service.ts'
import { stepsOf } from './sandbox.scenarios.model.ts'
import { type Step, wallMs } from './sandbox.steps.model.ts'
import type { SimulationRow } from './sandbox.store.ts'

const acts = (steps: readonly Step[]) => steps.map((step) => step.act.do)

describe.each(scenarioNames)('the scenario %s', (name) => {
  const steps = stepsOf[name]()

  it('registers before all but a first no, and ends the session once', () => {
    expect(steps.find(({ act }) => act.do !== 'decline')).toMatchObject({ at: 0, act: { do: 'register' } })
    expect(acts(steps).filter((act) => act === 'register')).toHaveLength(1)
    expect(acts(steps).filter((act) => act === 'end')).toHaveLength(1)
  })

  it('has its steps in order, with words for each, within little more than half an hour', () => {
    const offsets = steps.map(({ at }) => at)
    expect(offsets).toEqual(offsets.toSorted((a, b) => a - b))
    expect(offsets.at(-1)).toBeLessThanOrEqual(2100)
    for (const { what } of steps) expect(what).toMatch(/^[A-Z].{10,}\.$/)
  })

  it('delivers what it keeps, and captures nothing after the end', () => {
    const kept = acts(steps).lastIndexOf('keep')
    expect(acts(steps).lastIndexOf('deliver') > kept).toBe(kept >= 0)
    const after = acts(steps).slice(acts(steps).indexOf('end') + 1)
    expect(after.every((act) => act === 'deliver' || act === 'rest')).toBe(true)
  })

  it('observes each kind once at a time, as the registry says', () => {
    for (const { act } of steps) {
      const sights = act.do === 'observe' ? act.sights : []
      for (const { kind, source } of sights) {
        const { observer } = integrityEventKinds[kind]
        if (observer !== null) expect(source, kind).toBe(observer)
      }
      expect(new Set(sights.map(({ kind }) => kind)).size).toBe(sights.length)
    }
  })

  it('brings back each lane that goes away', () => {
    const away = new Set<string>()
    for (const { act } of steps) {
      if (act.do !== 'lane') continue
      expect(away.has(act.lane)).toBe(act.away === null)
      if (act.away === null) away.delete(act.lane)
      else away.add(act.lane)
    }
    expect([...away]).toEqual([])
  })

  it('names its items so that the contract takes them, each apart', () => {
    const run = { id: createIds(() => 1e12)('sim') } as SimulationRow
    const ids = steps.map((_, index) => clientIdOf({ run, index }, 'coverage.system_audio'))
    for (const id of ids) expect(clientId.safeParse(id).success).toBe(true)
    expect(new Set(ids).size).toBe(steps.length)
  })
})

it('counts whole milliseconds of the wall clock', () => {
  expect([wallMs(1, 600), wallMs(60, 600), wallMs(600, 600), wallMs(60, 5)]).toEqual([600_000, 10_000, 1000, 83])
})

it('has a scenario in which every reason for a gap of one lane, and every kind that an observer reports, is met', () => {
  const acts = stepsOf.everything_goes_wrong().map(({ act }) => act)
  const reasons = acts.flatMap((act) => (act.do === 'lane' && act.away ? [act.away] : []))
  expect(new Set(reasons)).toEqual(new Set(['unplugged', 'asleep_or_locked', 'permission_lapsed', 'driver_failed']))
  const seen = new Set<string>(acts.flatMap((act) => (act.do === 'observe' ? act.sights.map(({ kind }) => kind) : [])))
  const unmet = Object.keys(observations).filter((kind) => !seen.has(kind))
  expect(unmet).toEqual(['display.changed'])
  const calm = stepsOf.nothing_goes_wrong().map(({ act }) => act.do)
  expect(calm.some((act) => ['decline', 'lane', 'keep', 'reconnect', 'rest'].includes(act))).toBe(false)
})
