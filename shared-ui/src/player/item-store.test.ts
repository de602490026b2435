import { describe, expect, it } from 'vitest'
import { ItemStore, type KeptItem } from './item-store.ts'

const item = (id: string, size: number): KeptItem => ({
  id,
  contentType: 'image/webp',
  finding: 'unsigned',
  bytes: new Uint8Array(size),
})
const never = () => false

describe('what a player keeps', () => {
  it('lets go of what was used least recently', () => {
    const store = new ItemStore(10_000)
    const gone: string[] = []
    store.onGone = (id) => gone.push(id)
    store.put(item('a', 4000), never)
    store.put(item('b', 4000), never)
    store.get('a')
    store.put(item('c', 4000), never)
    expect(gone).toEqual(['b'])
    expect([store.has('a'), store.has('b'), store.has('c')]).toEqual([true, false, true])
  })

  it('lets go of nothing that is needed now, nor of what has just come', () => {
    const store = new ItemStore(6000)
    store.put(item('a', 4000), never)
    store.put(item('b', 4000), (id) => id === 'a')
    expect([store.has('a'), store.has('b')]).toEqual([true, true])
    store.put(item('c', 1), never)
    expect([store.has('a'), store.has('b'), store.has('c')]).toEqual([false, true, true])
  })

  it('counts what comes twice once', () => {
    const store = new ItemStore(100_000)
    store.put(item('a', 4000), never)
    const size = store.size
    store.put(item('a', 4000), never)
    expect(store.size).toBe(size)
    store.clear()
    expect(store.size).toBe(0)
  })
})
