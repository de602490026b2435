import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { ThreadGaveUp, type ThreadOptions, WorkerThread } from './worker-thread.ts'

/** Answers what it is told, and does as it is told. */
const source = `
const { parentPort, threadId } = require('node:worker_threads')
parentPort.on('message', (job) => {
  if (job === 'hang') for (;;);
  if (job === 'throw') throw new Error('of the job')
  if (job === 'fill') { const all = []; for (;;) all.push(new Array(1000).fill({})) }
  parentPort.postMessage(job === 'id' ? threadId : job)
})`
const module = new URL(
  `data:text/javascript,${encodeURIComponent(`import { createRequire } from 'node:module'; const require = createRequire('file:///'); ${source}`)}`,
)
const open = (more: Partial<ThreadOptions> = {}) =>
  new WorkerThread<unknown, unknown>({ module, deadlineMs: 30_000, idleMs: 60_000, maxMemoryMiB: 64, ...more })

describe('a thread for what strangers sent', () => {
  it('answers one job after the other', async () => {
    const thread = open()
    expect(await Promise.all([1, 'a', { b: new Map([[1, 2]]) }].map((job) => thread.run(job)))).toEqual([
      1,
      'a',
      { b: new Map([[1, 2]]) },
    ])
    expect(await thread.run('id')).toBe(await thread.run('id'))
  })

  it('gives up a job that does not end, and takes the next one in another thread', async () => {
    const thread = open({ deadlineMs: 2000 })
    const before = await thread.run('id').catch(() => thread.run('id'))
    const [hung, next] = await Promise.allSettled([thread.run('hang'), thread.run('id')])
    expect(hung).toMatchObject({ status: 'rejected', reason: expect.any(ThreadGaveUp) })
    if (next.status === 'fulfilled') expect(next.value).not.toBe(before)
  }, 60_000)

  it('goes on after a job that killed its thread', async () => {
    const thread = open({ maxMemoryMiB: 16 })
    for (const job of ['throw', 'fill']) {
      await expect(thread.run(job), job).rejects.toThrow(ThreadGaveUp)
      expect(await thread.run('again')).toBe('again')
    }
  }, 60_000)

  it('ends when nobody needs it, and begins again', async () => {
    const thread = open({ idleMs: 1 })
    const before = await thread.run('id')
    await pause(50)
    expect(await thread.run('id')).not.toBe(before)
  })
})
