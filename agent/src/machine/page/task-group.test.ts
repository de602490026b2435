import { describe, expect, it } from 'vitest'
import { runTaskGroup } from './task-group.ts'

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))

describe('work done together', () => {
  it('ends when one of it ends, and waits for the rest', async () => {
    const ended: string[] = []
    const rest = async (signal: AbortSignal): Promise<void> => {
      await aborted(signal)
      ended.push('rest')
    }
    await runTaskGroup(new AbortController().signal, [rest, async () => void ended.push('first')])
    expect(ended).toEqual(['first', 'rest'])
  })

  it('gives the first failure, and not those it caused', async () => {
    const failing = async (): Promise<void> => {
      throw new Error('unplugged')
    }
    const following = async (signal: AbortSignal): Promise<void> => {
      await aborted(signal)
      throw new Error('closed under me')
    }
    await expect(runTaskGroup(new AbortController().signal, [following, failing])).rejects.toThrow('unplugged')
  })

  it('ends with its signal', async () => {
    const stop = new AbortController()
    const all = runTaskGroup(stop.signal, [aborted, aborted])
    stop.abort()
    await expect(all).resolves.toBeUndefined()
  })
})
