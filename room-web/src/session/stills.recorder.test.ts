import 'fake-indexeddb/auto'
import { ManualTime } from '@integrity/shared-ui/test-support/manual-time'
import { expect, it, vi } from 'vitest'
import { FakeCamera } from '../../test/fake-camera.ts'
import { openStillsQueue } from './stills.queue.ts'
import { Recorder } from './stills.recorder.ts'

const setUp = async () => {
  const queue = await openStillsQueue('recorder')
  const [camera, time] = [new FakeCamera(), new ManualTime()]
  const record = async (sessionId: string) => {
    const told: string[] = []
    const recorder = new Recorder(
      {
        camera: await camera.open(),
        queue,
        time,
        sessionId,
        onTaken: () => told.push('taken'),
        onHealth: (health) => told.push(health),
        onBroken: () => told.push('broken'),
      },
      10,
    )
    return { recorder, told }
  }
  const waiting = async (sessionId: string) => (await queue.progress(sessionId)).waiting
  return { queue, camera, time, record, waiting }
}

it('keeps no picture that was still being taken when it was stopped', async () => {
  const { camera, time, record, waiting } = await setUp()
  const shutter = Promise.withResolvers<void>()
  camera.shutter = shutter.promise
  const stopped = await record('ses_stopped')
  const others = [await record('ses_other'), await record('ses_third')]
  stopped.recorder.stop()
  shutter.resolve()
  // The others took theirs after it and have kept them: by now it would have kept its own.
  await expect
    .poll(() => others.map(({ told }) => told), { interval: 1 })
    .toEqual([
      ['ok', 'taken'],
      ['ok', 'taken'],
    ])
  time.advance(10_000)
  await expect.poll(() => waiting('ses_third'), { interval: 1 }).toBe(2)
  expect([stopped.told, await waiting('ses_stopped'), await waiting('ses_other')]).toEqual([[], 0, 2])
})

it('tells when the browser does not take a picture, and tries the next one all the same', async () => {
  const { queue, time, record, waiting } = await setUp()
  vi.spyOn(queue, 'put').mockRejectedValueOnce(new Error('full'))
  const { recorder, told } = await record('ses_full')
  await expect.poll(() => told, { interval: 1 }).toEqual(['broken'])
  // Planned only after the failed one has come to its end.
  await vi.waitFor(
    async () => {
      time.advance(10_000)
      expect(await waiting('ses_full')).toBeGreaterThanOrEqual(1)
    },
    { interval: 1, timeout: 10_000 },
  )
  recorder.stop()
  vi.restoreAllMocks()
})
