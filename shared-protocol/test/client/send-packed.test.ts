import { describe, expect, it } from 'vitest'
import { IntegrityError } from '../../client/src/errors.ts'
import { PackedSending, type PackOutcomes } from '../../client/src/send-packed.ts'
import { failed, unreached } from '../../client/src/test-support/failed.ts'

/** A service whose packs are answered by `pack`; `refused` says what each item alone is answered. */
const sendingWith = (
  pack: (items: readonly string[]) => PackOutcomes,
  refused: Record<string, IntegrityError> = {},
) => {
  const asked: string[] = []
  const time = { now: 0 }
  const sending = new PackedSending<string>({
    now: () => time.now,
    pack: async (items) => {
      asked.push(`pack ${items.join()}`)
      return pack(items)
    },
    alone: async (item) => {
      asked.push(item)
      if (refused[item]) throw refused[item]
    },
  })
  return { sending, asked, time }
}
const stored = (items: readonly string[]): PackOutcomes =>
  items.map((clientId) => ({ clientId, status: 'stored' as const }))
const throwing = (error: Error) => (): PackOutcomes => {
  throw error
}
const withoutPacks = [
  failed('not_found'),
  new IntegrityError({ code: 'invalid_request', status: 405, message: 'no' }),
  new IntegrityError({ code: 'not_the_service', status: 404, message: 'a gateway' }),
]

describe('items that are sent together', () => {
  it('are one request, and each has its own answer', async () => {
    const error = { code: 'forbidden', message: 'declined' }
    const { sending, asked } = sendingWith((items) => [
      ...stored(items.slice(1)),
      { clientId: items[0]!, status: 'refused', error },
    ])
    const problems = await sending.send(['a', 'b', 'c'])
    expect(asked).toEqual(['pack a,b,c'])
    expect([...problems].map(([index, { kind }]) => [index, kind])).toEqual([[2, 'forbidden']])
  })

  it('are not taken for sent by an answer that is about others', async () => {
    const { sending } = sendingWith(() => stored(['a']))
    await expect(sending.send(['a', 'b'])).rejects.toMatchObject({ isPassing: true })
  })

  it.each(withoutPacks)(
    'go one by one to a service without packs ($status $code), which is asked again later',
    async (error) => {
      const { sending, asked, time } = sendingWith(throwing(error))
      expect(await sending.send(['a', 'b'])).toEqual(new Map())
      await sending.send(['c'])
      expect(asked).toEqual(['pack a,b', 'a', 'b', 'c'])
      expect(sending.isWithoutPacks).toBe(true)
      time.now = 600_000
      await sending.send(['d'])
      expect(asked.slice(4)).toEqual(['pack d', 'd'])
    },
  )

  it.each([
    ['by the service', failed('refused')],
    ['as too large by somebody between', new IntegrityError({ code: 'not_the_service', status: 413, message: 'no' })],
  ])('are asked for alone where the whole is refused %s', async (_by, error) => {
    const { sending, asked } = sendingWith(throwing(error), { b: failed('refused') })
    const problems = await sending.send(['a', 'b', 'c'])
    expect(asked).toEqual(['pack a,b,c', 'a', 'b', 'c'])
    expect([...problems.keys()]).toEqual([1])
    expect(sending.isWithoutPacks).toBe(false)
  })

  it.each([unreached(), failed('later'), failed('too_many'), failed('unauthorized')])(
    'wait together for what is nobody of theirs: $kind',
    async (error) => {
      const { sending, asked } = sendingWith(throwing(error))
      await expect(sending.send(['a', 'b'])).rejects.toBe(error)
      expect(asked).toEqual(['pack a,b'])
    },
  )

  it('stop at the first that cannot get through', async () => {
    const cut = unreached()
    const { sending, asked } = sendingWith(throwing(failed('not_found')), { b: cut })
    expect(await sending.send(['a', 'b', 'c'])).toEqual(
      new Map([
        [1, cut],
        [2, cut],
      ]),
    )
    expect(asked).toEqual(['pack a,b,c', 'a', 'b'])
    const again = sendingWith(throwing(failed('not_found')), { a: cut })
    await expect(again.sending.send(['a', 'b'])).rejects.toBe(cut)
  })
})
