import { lengthOf } from '@integrity/protocol'
import { expect, it } from 'vitest'
import { spansOf, type ToldSpan } from '../../src/core/session/test-support/told-spans.ts'
import { proofSize } from '../test-support/proof.ts'
import { isRecording } from './world.ts'
import { eventsOf, evidenceOf, finish, inWorld } from './world-facts.ts'

const kills = proofSize({ small: 3, large: 15 })
const patienceMs = 10_000
const pace = { everyMs: 30, filmOdds: 20, lanes: 'scripted' } as const

/** What is not said once between the first and the last millisecond. */
const faultsOf = (spans: readonly ToldSpan[]): string[] =>
  spans
    .toSorted((a, b) => a.fromAt - b.fromAt)
    .flatMap((next, n, all) => {
      const before = all[n - 1]
      if (!before || before.toAt === next.fromAt) return []
      return [`${next.fromAt - before.toAt} ms between ${JSON.stringify(before)} and ${JSON.stringify(next)}`]
    })

it(
  'an agent that is killed three times leaves no unexplained millisecond, and observed no more sound than the service holds',
  () =>
    inWorld(async (world) => {
      let agent = await world.joinAgent(pace)
      await agent.line('it recorded', isRecording)
      for (let kill = 0; kill < kills; kill += 1) {
        await world.watch.until({ after: 'items', amount: 2 + (kill % 4) }, patienceMs)
        expect(await agent.kill()).toEqual({ code: null, signal: 'SIGKILL' })
        agent = world.startAgent(pace)
        await agent.line('it recorded again', isRecording)
      }
      await world.watch.until({ after: 'items', amount: 4 }, patienceMs)
      await finish(agent)
      const told = spansOf(await eventsOf(world))
      for (const subject of ['screen', 'microphone', 'screen LEFT', 'screen RIGHT'])
        expect([subject, faultsOf(told.get(subject) ?? [])]).toEqual([subject, []])
      const ofMicrophone = told.get('microphone') ?? []
      expect(ofMicrophone.filter(({ reason }) => reason === 'agent_stopped')).toHaveLength(kills)
      const observedMs = lengthOf(ofMicrophone.filter(({ reason }) => reason === undefined))
      const chunks = (await evidenceOf(world)).filter(({ evidenceType }) => evidenceType === 'audio_chunk')
      const keptMs = chunks.reduce((sum, { durationMs }) => sum + (durationMs ?? 0), 0)
      expect(observedMs).toBeGreaterThan(0)
      expect(observedMs).toBeLessThanOrEqual(keptMs)
    }),
  300_000,
)
