import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@integrity/client/every-endpoint'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ManualClock } from '../../shared/test-support/manual-clock.ts'
import { fileKeyStore } from '../spool/key-store.ts'
import { Spool } from '../spool/spool.ts'
import { buildSegment } from '../spool/test-support/build-segment.ts'
import type { Segment } from '../transcript/segment-writer.ts'
import { failure, type Scripted, ScriptedServer, success } from './test-support/scripted-server.ts'
import { Uploader } from './uploader.ts'

let dir: string
let clock: ManualClock
let spool: Spool
let server: ScriptedServer
let uploader: Uploader
/** By id, as the service would have them. */
let stored: Map<string, Segment>

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'transcript-upload-'))
  clock = new ManualClock()
  spool = await Spool.open({ dir, keyStore: fileKeyStore(dir), clock })
  stored = new Map()
  server = new ScriptedServer(({ path, body }) => {
    if (path.endsWith('/events')) return success({ accepted: 1, duplicates: 0, health: { backoffMs: 0 } })
    const { segments } = JSON.parse(body.toString()) as { segments: Segment[] }
    for (const segment of segments) stored.set(segment.segmentId, segment)
    return success({ upserted: segments.length })
  })
  const client = createClient({ baseUrl: await server.listen(), token: 'sst_test' })
  uploader = new Uploader({ spool, client, sessionId: 'ses_1', clock, random: () => 1 })
})
afterEach(async () => {
  await uploader.stop()
  await spool.close()
  await server.close()
  await rm(dir, { recursive: true, force: true })
})

const put = (count: number): void => {
  const before = spool.transcript.nextSequence()
  for (let sequence = before; sequence < before + count; sequence += 1)
    spool.transcript.put(buildSegment({ segmentId: `s${sequence}`, sequence, startMs: sequence, text: `${sequence}` }))
}
const sentSequences = (): number[][] =>
  server.seen
    .filter(({ path }) => path.endsWith('/transcript'))
    .map(({ body }) =>
      (JSON.parse(body.toString()) as { segments: Segment[] }).segments.map(({ sequence }) => sequence),
    )

describe('the upload of a transcript', () => {
  it('sends segments in their order, at most 500 at once, after events and before items', async () => {
    put(600)
    spool.putEvents([{ kind: 'idle.started', observedAt: 0, monotonicMs: 0, source: 'test', data: {} }])
    await uploader.processAll()
    expect(server.seen[0]?.path).toBe('/v1/sessions/ses_1/events')
    const order = Array.from({ length: 600 }, (_, index) => index)
    expect(sentSequences()).toEqual([order.slice(0, 500), order.slice(500)])
    expect(spool.remaining()).toMatchObject({ segments: 0, events: 0 })
  })

  it('sends a segment again when its words become firm', async () => {
    spool.transcript.put(buildSegment({ text: 'the', final: false }))
    await uploader.processAll()
    spool.transcript.put(buildSegment({ text: 'the door' }))
    await uploader.processAll()
    expect([...stored.values()]).toMatchObject([{ segmentId: 'segment-0', text: 'the door', final: true }])
  })

  it('sends again what changed while the request was under way', async () => {
    spool.transcript.put(buildSegment({ text: 'the', final: false }))
    server.onRequest = () => {
      server.onRequest = undefined
      spool.transcript.put(buildSegment({ text: 'the door' }))
    }
    await uploader.processAll()
    expect(stored.get('segment-0')).toMatchObject({ text: 'the door', final: true })
    expect(spool.remaining().segments).toBe(0)
  })

  const passing: [string, Scripted][] = [
    ['an answer that got lost', 'lose_answer'],
    ['a connection that broke', 'hang_up'],
    ['a server error', failure(500, 'internal_error')],
  ]
  it.each(passing)('keeps segments over %s and sends them again', async (_name, scripted) => {
    put(2)
    server.script.push(scripted)
    await uploader.processAll()
    expect(spool.remaining().segments).toBe(2)
    clock.advance(60_000)
    await uploader.processAll()
    expect([...stored.keys()]).toEqual(['s0', 's1'])
    expect(spool.remaining().segments).toBe(0)
  })

  it('gives up only the segment that the service names, as one said after the end', async () => {
    put(3)
    server.script.push(failure(400, 'invalid_request', [{ path: 'segments.1.endMs', message: 'lies after the end' }]))
    await uploader.processAll()
    expect([...stored.keys()]).toEqual(['s0', 's2'])
    expect(spool.refusals().map(({ clientId }) => clientId)).toEqual(['s1'])
  })

  it('finds those that may still be sent when the policy switched the lane off at some instant', async () => {
    put(4)
    server.script.push(failure(403, 'forbidden'))
    await uploader.processAll()
    expect(sentSequences()).toEqual([
      [0, 1, 2, 3],
      [0, 1],
      [2, 3],
    ])
    expect(stored.size).toBe(4)
  })

  it('leaves no words here once consent is withdrawn or the session erased', async () => {
    put(1)
    server.script.push(failure(403, 'forbidden'))
    await uploader.processAll()
    put(5)
    server.script.push(failure(409, 'conflict'))
    await uploader.processAll()
    expect(stored.size).toBe(0)
    expect(spool.remaining()).toMatchObject({ segments: 0, refused: 6 })
    expect(sentSequences()).toHaveLength(2)
  })
})
