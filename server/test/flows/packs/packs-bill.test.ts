import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildCaptureSession, type CaptureSession, iso } from '../../test-support/capture-session.ts'
import { agentGathersMs, type Captured, capturedIn, packsOf } from '../../test-support/default-interview.ts'
import { type PackedItem, packedSound, packedStill, sendPack } from '../../test-support/packs.ts'
import { type S3Double, startS3Double } from '../../test-support/s3-double.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { reelsOf } from '../reels/reels.test-support.ts'
import { inDouble, storageOf } from '../storage/storage.test-support.ts'

const minutes = 45
/** Each minute asks for the same, so that two are sent singly and counted for all. */
const minutesSingly = 2
const singleEndpoints = {
  screenshot: 'agent.screenshots.upload',
  camera_frame: 'agent.cameraFrames.upload',
  audio_chunk: 'agent.audioChunks.upload',
  system_audio_chunk: 'agent.systemAudio.upload',
} as const
const sources = ['screen:d1', 'camera', 'microphone', 'system_audio']

interface Bill {
  readonly puts: number
  readonly gets: number
}

describe('what a bucket is asked for by an interview of 45 minutes', () => {
  let server: TestServer
  let double: S3Double
  beforeAll(async () => {
    double = await startS3Double()
    server = await startServer()
    await storageOf(server).put(inDouble(double))
  })
  afterAll(async () => {
    await server.stop()
    await double.stop()
  })
  const reels = reelsOf(() => server)

  const itemOf = ({ evidenceType }: Captured, sequence: number): Promise<PackedItem> | PackedItem => {
    if (evidenceType === 'screenshot') return packedStill(server)
    if (evidenceType === 'camera_frame') return packedStill(server, { evidenceType, displayId: undefined })
    return packedSound(server, { evidenceType, sequence, durationMs: 10_000 })
  }
  /** Made one after the other, as the clock goes on. */
  const captured = async (items: readonly Captured[], beganAt: number): Promise<PackedItem[]> => {
    const made: PackedItem[] = []
    for (const item of items) {
      server.clock.advance(Math.max(0, beganAt + item.atMs - server.clock.now()))
      const { head, body } = await itemOf(item, Math.floor(item.atMs / 10_000))
      const time = iso(server.clock.now())
      made.push({ head: { ...head, ...('startedAt' in head ? { startedAt: time } : { capturedAt: time }) }, body })
    }
    return made
  }
  const sendOne = async ({ agent, id }: CaptureSession, { head, body }: PackedItem): Promise<void> => {
    const { evidenceType, ...meta } = head
    const endpoint = singleEndpoints[evidenceType as keyof typeof singleEndpoints]
    const said = { ...meta, data: body.toString('base64') } as never
    await agent.call(endpoint, { params: { id }, body: said })
  }
  const counted = async (work: () => Promise<unknown>): Promise<number> => {
    double.asks.length = 0
    await work()
    return double.asks.length
  }
  /** All that four sources recorded, as a player reads it. */
  const readAll = async (s: CaptureSession): Promise<number> => {
    let items = 0
    for (const source of sources)
      for (let from: number | null | undefined = 0; from !== null && from !== undefined; ) {
        const reel = await reels.ofKey(s, source, { from, size: 'full' })
        items += reel.frames.filter(({ body }) => body.length > 0).length
        from = reel.nextMs
      }
    return items
  }
  const held = async (count: number, send: (s: CaptureSession, beganAt: number) => Promise<unknown>): Promise<Bill> => {
    const s = await buildCaptureSession(server)
    const puts = await counted(() => send(s, server.clock.now()))
    const gets = await counted(async () => expect(await readAll(s)).toBe(count))
    return { puts, gets }
  }
  const inPacks = (gathersMs: number) => {
    const items = capturedIn(minutes)
    const packs = packsOf(items, gathersMs)
    const bill = held(items.length, async (s, beganAt) => {
      for (const pack of packs) {
        const answers = await sendPack(s, await captured(pack, beganAt))
        expect(answers.every(({ status }) => status === 'stored')).toBe(true)
      }
    })
    return { packs: packs.length, bill }
  }
  const singly = async (): Promise<Bill> => {
    const items = capturedIn(minutesSingly)
    const bill = await held(items.length, async (s, beganAt) => {
      for (const item of items) for (const one of await captured([item], beganAt)) await sendOne(s, one)
    })
    const share = minutes / minutesSingly
    return { puts: bill.puts * share, gets: bill.gets * share }
  }
  const told = ({ puts, gets }: Bill) => `${puts} to store, ${gets} to be read`

  it('is one request for each pack, a fifteenth of those of single items, and fewer to be read', async () => {
    const alone = await singly()
    const { packs, bill } = inPacks(agentGathersMs)
    const sent = await bill
    console.log(`singly ${told(alone)}; in packs ${told(sent)}`)
    expect(alone.puts).toBe(990)
    expect(sent.puts).toBe(packs)
    expect(alone.puts / sent.puts).toBeGreaterThan(15)
    expect(sent.gets).toBeLessThan(alone.gets / 2)
  }, 120_000)
})
