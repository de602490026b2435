import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { lengthOf, sessionConfig } from '@integrity/protocol'
import { expect, it } from 'vitest'
import { proofSeeds, proofSize, seededRandom } from '../../../../server/test/test-support/proof.ts'
import { manualClock } from '../../../test/test-support/manual-clock.ts'
import type { Clock } from '../../shared/clock.ts'
import { createServiceClock } from '../../shared/service-clock.ts'
import { fileKeyStore } from '../spool/key-store.ts'
import { Spool } from '../spool/spool.ts'
import { LaneRunner } from './lane-runner.ts'
import { SessionEvents } from './session-events.ts'
import { initialSession } from './session-machine.ts'
import { ScriptedObservers } from './test-support/scripted-capture.ts'
import { ScriptedLanes } from './test-support/scripted-lanes.ts'
import { type ToldSpan, toldSpans } from './test-support/told-spans.ts'

const runs = proofSize({ small: 15, large: 100 })
const config = sessionConfig.parse({})
const lanes = ['screen', 'microphone'] as const
const state = { ...initialSession, config, answers: { screen: true, microphone: true } }

/** The clock of one process: whatever still waits when it is killed waits forever. */
const mortal = (clock: Clock) => {
  const never = new Promise<void>(() => undefined)
  let isAlive = true
  return {
    clock: {
      ...clock,
      sleep: (ms: number, signal?: AbortSignal) => clock.sleep(ms, signal).then(() => (isAlive ? undefined : never)),
    },
    isAlive: () => isAlive,
    kill: () => {
      isAlive = false
    },
  }
}

const openLife = async (dir: string, outer: Clock, random: () => number) => {
  const { clock, isAlive, kill } = mortal(outer)
  const spool = await Spool.open({ dir, keyStore: fileKeyStore(dir), clock })
  const onTrouble = (trouble: string): void => {
    if (isAlive()) expect.unreachable(trouble)
  }
  const events = new SessionEvents({ spool, clock, onStored: () => undefined, onTrouble })
  const capture = new ScriptedLanes({ clock, random, pieceMs: 10_000 })
  const observers = new ScriptedObservers()
  const ports = { spool, clock: createServiceClock(clock), capture, observers, events, onStored: () => undefined }
  return { spool, capture, kill, runner: new LaneRunner(ports) }
}

/** Every millisecond between the first and the last that was said, in one window or gap. */
const expectWhole = (spans: readonly ToldSpan[]): void => {
  const sorted = spans.toSorted((a, b) => a.fromAt - b.fromAt)
  for (const [n, next] of sorted.entries())
    if (n > 0) expect(next.fromAt, JSON.stringify(sorted)).toBe(sorted[n - 1]?.toAt)
}

const millisecondsOfSound = async (spool: Spool): Promise<number> => {
  let ms = 0
  for (let item = spool.nextItem(); item; item = spool.nextItem())
    if (item.lane === 'microphone') ms += Math.round((await spool.read(item)).header.durationMs ?? 0)
  return ms
}

/** Kills the agent in its first second, before it said anything. */
const inFirstSecond = 1_192_437_794

it.each([...proofSeeds(), inFirstSecond])(
  'an agent that is killed time and again says of each millisecond once what it was, and observed no more than it kept (SEED=%i)',
  async (seed) => {
    const dir = await mkdtemp(join(tmpdir(), 'account-'))
    const random = seededRandom(seed)
    const clock = manualClock()
    const begun = clock.wallMs()
    try {
      for (let run = 0; run < runs; run += 1) {
        const { spool, capture, kill, runner } = await openLife(dir, clock, random)
        if (run > 0) runner.noteAbsence(state, begun)
        await runner.run({ type: 'run_lanes', lanes: [...lanes], config })
        const isLast = run === runs - 1
        const seconds = Math.ceil(random() * 60)
        for (let second = 1; second <= seconds; second += 1) {
          await clock.advance(1000)
          // A kill may also fall between the piece on the disk and the word of it.
          if (isLast || second < seconds || random() < 0.5) await capture.delivered()
          if (second % 10 === 0 && (isLast || second < seconds)) runner.noteCoverage()
          if (second % 17 === 0) await capture.pause('paused')
          if (second % 17 === 4) capture.resume()
        }
        if (isLast) await runner.stop()
        kill()
        await spool.close()
        await clock.advance(Math.ceil(random() * 20_000))
      }
      const spool = await Spool.open({ dir, keyStore: fileKeyStore(dir), clock })
      const told = toldSpans(spool)
      for (const subject of ['screen', 'microphone', 'screen LEFT', 'screen RIGHT'])
        expectWhole(told.get(subject) ?? [])
      for (const lane of lanes) expect(Math.min(...told.get(lane)!.map(({ fromAt }) => fromAt))).toBe(begun)
      const observed = told.get('microphone')!.filter(({ reason }) => reason === undefined)
      expect(lengthOf(observed)).toBeGreaterThan(0)
      expect(lengthOf(observed)).toBeLessThanOrEqual(await millisecondsOfSound(spool))
      const reasons = new Set([...told.values()].flat().map(({ reason }) => reason))
      expect([...reasons]).toEqual(expect.arrayContaining(['starting', 'agent_stopped']))
      await spool.close()
    } finally {
      await rm(dir, { recursive: true, force: true })
    }
  },
)
