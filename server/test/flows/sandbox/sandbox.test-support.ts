import type { LaneName, Scenario, SessionConfigPatch } from '@integrity/protocol'
import { expect } from 'vitest'
import type { TestServer } from '../../test-support/server.ts'
import { scheduleSession } from '../../test-support/world.ts'

type Dated = 'real_time' | 'as_played'

/** Simulations of the server's first organisation, played without waiting, and what they leave. */
export const simulationsOf = (current: () => TestServer) => {
  /** A new one for each call, since a restart moves the server to another port. */
  const api = () => current().client(current().orgs[0].sandboxKey)
  const schedule = async (config?: SessionConfigPatch): Promise<string> =>
    (await scheduleSession(api(), config ? { config } : {})).id
  /** Dated by the clock of the test unless asked for. */
  const simulate = async (id: string, scenario: Scenario, timeScale = 60, dated: Dated = 'as_played') =>
    (await api().call('sandbox.simulate', { params: { id }, body: { scenario, timeScale, dated } })).data
  const progress = async (id: string) => (await api().call('sandbox.simulation', { params: { id } })).data
  type Progress = Awaited<ReturnType<typeof progress>>
  const doneOf = (run: Progress) => run.steps.filter((step) => step.doneAt !== null).length

  /** Moves the clock from step to step until the run is over, or that many steps are done. */
  const play = async (id: string, steps = Number.POSITIVE_INFINITY): Promise<Progress> => {
    for (let stuck = 0, before = -1; stuck < 10; ) {
      const run = await progress(id)
      const done = doneOf(run)
      if (run.status !== 'running' || done >= steps) return run
      stuck = done === before ? stuck + 1 : 0
      before = done
      const due = Date.parse(run.startedAt) + (run.steps[done]?.atSeconds ?? 0) * 1000
      // A step that failed is tried again after a while.
      current().clock.advance(stuck > 0 ? 5000 : Math.max(0, due - current().clock.now()))
      await current().processAll()
    }
    throw new Error(`the simulation of ${id} does not go on: ${current().logLines.join('')}`)
  }
  const playWhole = async (scenario: Scenario, config?: SessionConfigPatch, timeScale?: number, dated?: Dated) => {
    const id = await schedule(config)
    await simulate(id, scenario, timeScale, dated)
    return { id, run: await play(id) }
  }

  const eventsOf = async (id: string) => {
    const { data } = await api().call('events.list', { query: { sessionId: id, limit: 100 } })
    expect(data.total).toBe(data.items.length)
    return data.items.toReversed()
  }
  const typesOf = async (id: string) => (await eventsOf(id)).map(({ type }) => type)
  const reportOf = async (id: string) => (await api().call('sessions.report', { params: { id } })).data
  const coverageOf = async (id: string, lane: LaneName) =>
    (await reportOf(id)).coverage.find((entry) => entry.lane === lane)
  const evidenceOf = async (id: string) =>
    (await api().call('sessions.evidence.list', { params: { id }, query: { limit: 100 } })).data.items
  const sessionOf = async (id: string) => (await api().call('sessions.get', { params: { id } })).data
  return {
    schedule,
    simulate,
    progress,
    doneOf,
    play,
    playWhole,
    eventsOf,
    typesOf,
    reportOf,
    coverageOf,
    evidenceOf,
    sessionOf,
  }
}
