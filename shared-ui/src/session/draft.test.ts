import { describe, expect, it } from 'vitest'
import { Draft } from './draft.ts'

const storageOf = (items = new Map<string, string>()) => ({
  items,
  getItem: (key: string) => items.get(key) ?? null,
  setItem: (key: string, value: string) => void items.set(key, value),
  removeItem: (key: string) => void items.delete(key),
})
const ids = () => {
  let made = 0
  return () => `id-${++made}`
}
const empty = { text: '', replyTo: '' }
const draftIn = (storage: ReturnType<typeof storageOf>, name = 'message ses_1', newId = ids()) =>
  new Draft(storage, name, empty, newId)

describe('a draft', () => {
  it('is there again after a reload, under its own name alone', () => {
    const storage = storageOf()
    draftIn(storage).change({ text: 'Which door?' })
    expect(draftIn(storage).words).toEqual({ text: 'Which door?', replyTo: '' })
    expect([draftIn(storage).isEmpty, draftIn(storage, 'message ses_2').isEmpty]).toEqual([false, true])
  })

  it('is gone once it has arrived', () => {
    const storage = storageOf()
    const draft = draftIn(storage)
    draft.change({ text: 'Which door?' })
    draft.clear()
    expect([draft.words, draft.isEmpty, storage.items.size]).toEqual([empty, true, 0])
  })

  it('is sent under one key for the same words, also after a reload, and under another for other words', () => {
    const storage = storageOf()
    const newId = ids()
    const draft = draftIn(storage, 'x', newId)
    draft.change({ text: 'Which door?' })
    expect([draft.once(), draft.once(), draftIn(storage, 'x', newId).once()]).toEqual(['id-1', 'id-1', 'id-1'])
    draft.change({ text: 'Which gate?' })
    expect(draft.once()).toBe('id-2')
    draft.clear()
    expect(draft.once()).toBe('id-3')
  })

  it.each(['', 'null', '7', '{"words":{"text":5,"other":"x"},"once":8}', '{"words":"x"}', '[1]', '{'])(
    'is empty where something else is kept: %s',
    (kept) => {
      const draft = draftIn(storageOf(new Map([['draft x', kept]])), 'x')
      expect([draft.words, draft.isEmpty, draft.once()]).toEqual([empty, true, 'id-1'])
    },
  )

  it('goes on where nothing more can be kept', () => {
    const full = {
      ...storageOf(),
      setItem: () => {
        throw new DOMException('full', 'QuotaExceededError')
      },
    }
    const draft = draftIn(full)
    draft.change({ text: 'Which door?' })
    expect(draft.words.text).toBe('Which door?')
  })
})
