import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ManualClock } from '../../shared/test-support/manual-clock.ts'
import { fileKeyStore } from './key-store.ts'
import { Spool } from './spool.ts'
import type { SpoolOptions } from './spool.types.ts'
import { buildSegment } from './test-support/build-segment.ts'
import { SpoolFull, type SpoolReport } from './types.ts'

let dir: string
let clock: ManualClock
const open = new Set<Spool>()

const openSpool = async (overrides: Partial<SpoolOptions> = {}): Promise<Spool> => {
  const spool = await Spool.open({ dir, keyStore: fileKeyStore(dir), clock, ...overrides })
  open.add(spool)
  return spool
}
const leave = async (spool: Spool): Promise<void> => {
  open.delete(spool)
  await spool.close()
}
const texts = (spool: Spool) => spool.transcript.next(500).map(({ segment }) => segment.text)
const numbered = (count: number) =>
  Array.from({ length: count }, (_, sequence) =>
    buildSegment({ segmentId: `s${sequence}`, sequence, text: `${sequence}` }),
  )

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'transcript-queue-'))
  clock = new ManualClock()
})
afterEach(async () => {
  for (const spool of open) await leave(spool)
  await rm(dir, { recursive: true, force: true })
})

describe('segments in the spool', () => {
  it('are handed out in the order in which they began, each once, with its newest words', async () => {
    const spool = await openSpool()
    spool.transcript.put(buildSegment({ segmentId: 'a', sequence: 0, text: 'the', final: false }))
    spool.transcript.put(buildSegment({ segmentId: 'b', sequence: 1, text: 'yes' }))
    spool.transcript.put(buildSegment({ segmentId: 'a', sequence: 0, text: 'the door' }))
    expect(spool.remaining()).toMatchObject({ segments: 2 })
    const batch = spool.transcript.next(500)
    expect(batch.map(({ segment }) => [segment.text, segment.final])).toEqual([
      ['the door', true],
      ['yes', true],
    ])
    expect(spool.transcript.next(500)).toEqual([])
    spool.transcript.ack(batch)
    expect(spool.remaining()).toMatchObject({ segments: 0 })
  })

  it('stay when they changed while they were sent', async () => {
    const { transcript } = await openSpool()
    transcript.put(buildSegment({ text: 'the', final: false }))
    const sent = transcript.next(500)
    transcript.put(buildSegment({ text: 'the door' }))
    transcript.ack(sent)
    expect(transcript.next(500).map(({ segment }) => segment.text)).toEqual(['the door'])
  })

  it('wait until they are due again, and count their failures', async () => {
    const spool = await openSpool()
    spool.transcript.put(buildSegment())
    spool.transcript.fail(spool.transcript.next(500), clock.wallMs() + 5000)
    expect(spool.transcript.next(500)).toEqual([])
    expect(spool.nextDue()).toBe(clock.wallMs() + 5000)
    clock.advance(5000)
    expect(spool.transcript.next(500)).toMatchObject([{ attempts: 1 }])
  })

  it('leave their reason but no words when they are refused', async () => {
    const reports: SpoolReport[] = []
    const spool = await openSpool({ onReport: (report) => reports.push(report) })
    spool.transcript.put(buildSegment())
    spool.transcript.refuse(spool.transcript.next(500), '403 forbidden')
    expect(spool.refusals()).toEqual([{ clientId: 'segment-0', what: 'transcript_segment', reason: '403 forbidden' }])
    expect(spool.remaining()).toMatchObject({ segments: 0, refused: 1 })
    expect(reports).toEqual([{ kind: 'refused', clientId: 'segment-0', lane: 'transcript', reason: '403 forbidden' }])
    await spool.reset()
    expect(spool.remaining()).toMatchObject({ refused: 0 })
  })

  it('have a room of their own', async () => {
    const spool = await openSpool({ maxTranscriptBytes: 1000 })
    const fill = (): void => {
      for (const segment of numbered(20)) spool.transcript.put(segment)
    }
    expect(fill).toThrow(SpoolFull)
    expect(texts(spool).length).toBeGreaterThan(1)
    spool.putEvents([{ kind: 'idle.started', observedAt: 0, monotonicMs: 0, source: 'test', data: {} }])
  })

  it('keep a session from being forgotten before they are sent', async () => {
    const spool = await openSpool()
    spool.transcript.put(buildSegment())
    await expect(spool.reset()).rejects.toThrow('still to be sent')
  })

  it('are counted over restarts, and from 0 in a new session', async () => {
    const first = await openSpool()
    for (const segment of numbered(3)) first.transcript.put(segment)
    first.transcript.ack(first.transcript.next(500))
    await leave(first)
    const second = await openSpool()
    expect(second.transcript.nextSequence()).toBe(3)
    await second.reset()
    expect(second.transcript.nextSequence()).toBe(0)
  })

  it('lie unreadable on the disk', async () => {
    const spool = await openSpool()
    spool.transcript.put(buildSegment({ text: 'a very secret sentence' }))
    for (const name of (await readdir(dir)).filter((file) => file.startsWith('spool.db'))) {
      expect((await readFile(join(dir, name))).includes('secret')).toBe(false)
    }
  })

  it('find their place in an index that was written before there were any, with all that is in it', async () => {
    const first = await openSpool()
    first.putEvents([{ kind: 'idle.started', observedAt: 0, monotonicMs: 0, source: 'test', data: {} }])
    await leave(first)
    const old = new Database(join(dir, 'spool.db'))
    old.exec('DROP TABLE segments; ALTER TABLE samples DROP COLUMN from_at; PRAGMA user_version = 1')
    old.close()
    const reports: SpoolReport[] = []
    const second = await openSpool({ onReport: (report) => reports.push(report) })
    second.transcript.put(buildSegment())
    expect(reports).toEqual([])
    expect(second.remaining()).toMatchObject({ events: 1, segments: 1 })
  })
})

describe('an agent that is killed with SIGKILL while somebody speaks', () => {
  it('still has every segment whose words it had said to be durable, in order, and goes on counting', async () => {
    const durable: string[] = []
    for (const afterLines of [2, 3, 12, 31]) {
      const child = spawn(process.execPath, [join(import.meta.dirname, 'test-support', 'transcript-child.ts'), dir], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      const exited = once(child, 'exit')
      let lines = 0
      for await (const line of createInterface({ input: child.stdout })) {
        lines += 1
        if (line !== 'ready') durable.push(line)
        if (lines === afterLines) child.kill('SIGKILL')
      }
      expect((await exited)[1]).toBe('SIGKILL')
    }
    const newest = new Map(durable.map((line) => [line.split(' ')[1], line]))
    const spool = await openSpool()
    const found = spool.transcript.next(500).map(({ segment }) => segment)
    expect(found.map(({ sequence }) => sequence)).toEqual(found.map((_, index) => index))
    expect(newest.size).toBeGreaterThan(5)
    for (const line of newest.values()) {
      const [sequence, segmentId, state, ...words] = line.split(' ')
      const segment = found[Number(sequence)]
      expect(segment?.segmentId).toBe(segmentId)
      // One step further than was said is possible: durable, and killed before it could be said.
      expect(segment?.text.startsWith(words.join(' '))).toBe(true)
      if (state === 'firm') expect(segment).toMatchObject({ final: true, text: words.join(' ') })
    }
    // The first agent was killed after its first words: they are still there, as words that are not firm.
    expect(found[0]).toMatchObject({ text: expect.stringMatching(/^one/) })
    expect(found.some(({ final }) => !final)).toBe(true)
  })
})
