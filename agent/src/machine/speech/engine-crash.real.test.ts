import { readdir, readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { recordingSink } from '../../../test/test-support/recording-sink.ts'
import { until } from '../../../test/test-support/until.ts'
import { canRunWith } from '../../../test/test-support/virtual-desktop.ts'
import { bytesPerMs } from '../../core/capture/pcm.ts'
import type { Segment } from '../../core/transcript/segment-writer.ts'
import { createTranscriptLane } from '../../core/transcript/transcript-lane.ts'
import { systemClock } from '../../shared/clock.ts'
import { chooseEngine } from './choose-engine.ts'
import { englishModel, speak, speechPrograms } from './test-support/speech.ts'

/** Recognition takes as long as the machine has other things to do. */
const slow = 100_000

const textOf = (path: string): Promise<string> => readFile(path, 'utf8').catch(() => '')
const parentOf = async (pid: number): Promise<number> =>
  Number(/\) \S (\d+) /.exec(await textOf(`/proc/${pid}/stat`))?.[1] ?? 0)

const isBelowUs = async (pid: number): Promise<boolean> => {
  let ancestor = await parentOf(pid)
  while (ancestor > 1 && ancestor !== process.pid) ancestor = await parentOf(ancestor)
  return ancestor === process.pid
}

/** The engines that run below this process. */
const enginePids = async (): Promise<number[]> => {
  const found: number[] = []
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)) {
    const isEngine = (await textOf(`/proc/${pid}/comm`)).startsWith('pocketsphinx')
    if (isEngine && (await isBelowUs(pid))) found.push(pid)
  }
  return found
}

describe.skipIf(!canRunWith('an engine that crashes', [...speechPrograms]))(
  'an engine that is killed with SIGKILL',
  () => {
    it('leaves a named gap and is started again, and the words said after it are written down', async () => {
      const put: Segment[] = []
      const sink = recordingSink()
      // Sound comes faster than it is said; the clock keeps up with it.
      let ahead = 0
      const clock = { ...systemClock, wallMs: () => systemClock.wallMs() + ahead }
      const startedAt = clock.wallMs()
      const lane = createTranscriptLane({
        choose: () => chooseEngine(englishModel),
        store: { nextSequence: () => put.length, put: (segment) => put.push(segment) },
        clock,
        sessionStartedAt: () => startedAt,
      })
      let at = startedAt
      const hear = (pcm: Buffer): void => {
        for (let from = 0; from < pcm.length; from += 100 * bytesPerMs) {
          const bytes = pcm.subarray(from, from + 100 * bytesPerMs)
          at += bytes.length / bytesPerMs
          ahead = Math.max(ahead, at - systemClock.wallMs())
          lane.hear({ lane: 'microphone', bytes, at })
        }
      }
      const text = () => put.map((segment) => segment.text).join(' ')
      const sentence = await speak('the door of the house is open')
      try {
        await lane.apply(['microphone', 'transcript'], sink)
        at = clock.wallMs()
        hear(sentence)
        hear(sentence)
        await until('the first words', () => text().includes('house'), slow)
        const [pid] = await enginePids()
        const before = put.length
        process.kill(pid!, 'SIGKILL')
        await until('the loss to be told', () => lane.health()?.state === 'down', slow)
        expect(lane.health()).toMatchObject({ lane: 'transcript', reason: 'driver_failed' })
        hear(sentence)
        hear(sentence)
        await until('words said after it', () => put.length > before, slow)
        expect(lane.health()).toMatchObject({ state: 'up' })
        await lane.stop()
        const after = put.slice(before)
        expect(after.map((segment) => segment.text).join(' ')).toContain('house is open')
        expect(after[0]!.startMs).toBeGreaterThan(put[0]!.endMs)
      } finally {
        await lane.stop()
      }
      const [gap] = sink.gaps
      expect(sink.gaps).toHaveLength(1)
      expect(gap).toMatchObject({ lane: 'transcript', reason: 'driver_failed' })
      const windows = lane.takeCoverage()
      const seconds = (name: 'expectedSeconds' | 'observedSeconds') =>
        windows.reduce((sum, window) => sum + window[name], 0)
      expect(seconds('expectedSeconds')).toBeCloseTo((4 * sentence.length) / bytesPerMs / 1000, 1)
      const missed = (gap!.to - gap!.from) / 1000
      expect(missed).toBeGreaterThan(0)
      expect(seconds('expectedSeconds') - seconds('observedSeconds')).toBeCloseTo(missed, 1)
      expect(await enginePids()).toEqual([])
    })
  },
)
