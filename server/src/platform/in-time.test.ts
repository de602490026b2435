import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { describe, expect, it } from 'vitest'
import { inTime } from './in-time.ts'

const late = () => new Error('too late')

describe('a wait that is bounded', () => {
  it('ends with what the work comes to, or as late', async () => {
    await expect(inTime(Promise.resolve('answer'), 1000, late)).resolves.toBe('answer')
    await expect(inTime(Promise.reject(new Error('refused')), 1000, late)).rejects.toThrow('refused')
    await expect(inTime(new Promise(() => undefined), 20, late)).rejects.toThrow('too late')
  })

  it('counts no time in which this process stood still: what came meanwhile is read first', async () => {
    const said = new Int32Array(new SharedArrayBuffer(4))
    const answerer = `const { parentPort, workerData } = require('node:worker_threads')
      parentPort.postMessage('answer')
      Atomics.store(workerData, 0, 1)
      Atomics.notify(workerData, 0)`
    const worker = new Worker(answerer, { eval: true, workerData: said })
    const answer = inTime(once(worker, 'message'), 200, late)
    // From here on the loop looks at its timers before it reads.
    await new Promise((resolve) => setImmediate(resolve))
    Atomics.wait(said, 0, 0)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 400)
    await expect(answer).resolves.toEqual(['answer'])
    await worker.terminate()
  })
})
