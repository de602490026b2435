import { describe, expect, it } from 'vitest'
import { Cleanup } from './cleanup.ts'

describe('the end of the demo', () => {
  it('stops the newest first, waiting for each', async () => {
    const stopped: string[] = []
    const cleanup = new Cleanup()
    for (const name of ['server', 'desktop', 'agent']) {
      cleanup.add(async () => {
        await Promise.resolve()
        stopped.push(name)
      })
    }
    await cleanup.run()
    expect(stopped).toEqual(['agent', 'desktop', 'server'])
  })

  it('stops each once, however often it is asked to', async () => {
    let times = 0
    const cleanup = new Cleanup()
    cleanup.add(() => {
      times += 1
    })
    await Promise.all([cleanup.run(), cleanup.run()])
    expect(times).toBe(1)
  })

  it('goes on when one of them cannot be stopped, and stops what comes too late', async () => {
    const stopped: string[] = []
    const cleanup = new Cleanup()
    cleanup.add(() => stopped.push('server'))
    cleanup.add(() => Promise.reject(new Error('said by a test')))
    await cleanup.run()
    cleanup.add(() => stopped.push('agent'))
    await cleanup.run()
    expect(stopped).toEqual(['server', 'agent'])
  })
})
