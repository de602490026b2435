import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { doublesIn } from '../../test-support/scale-events.ts'
import { createLedger } from '../../test-support/scale-ledger.ts'
import { tableOf } from '../../test-support/scale-table.ts'
import { type Receiver, startReceiver } from '../../test-support/webhook-receiver.ts'

describe('the ledger', () => {
  it('finds what was acknowledged and is another, or is not there', async () => {
    const ledger = createLedger()
    const wrote = (sessionId: string, what: string) =>
      ledger.wrote({ sessionId, what, sent: 'sent', find: (kept) => kept.get(what)?.toString() })
    for (const what of ['a still', 'an event', 'a sentence']) wrote('ses_1', what)
    wrote('ses_2', 'a session')
    const kept = new Map([
      ['a still', Buffer.from('sent')],
      ['an event', Buffer.from('changed')],
    ])
    const lost = await ledger.findLost(async (id) => {
      if (id === 'ses_2') throw new Error('session not found')
      return kept
    })
    expect(lost.map(({ what, why }) => `${what}: ${why}`).toSorted()).toEqual([
      'a sentence: nothing instead of sent',
      'a session: session not found',
      'an event: changed instead of sent',
    ])
  })
})

describe('webhook posts', () => {
  let receiver: Receiver
  beforeAll(async () => {
    receiver = await startReceiver(() => 0)
  })
  afterAll(() => receiver.stop())
  const post = (id: string, data: object, named = id) =>
    fetch(receiver.url, {
      method: 'POST',
      headers: { 'webhook-id': named },
      body: JSON.stringify({ id, type: 'session.ended', sessionId: 'ses_1', data }),
    })

  it('may come again under their id, and nothing else', async () => {
    await post('evt_1', { n: 1 })
    await post('evt_1', { n: 1 })
    expect(doublesIn(receiver)).toMatchObject({ doubled: [{ id: 'evt_1' }], wrong: [] })
    await post('evt_2', { n: 1 })
    await post('evt_1', { n: 2 })
    await post('evt_3', { n: 3 }, 'evt_4')
    expect(doublesIn(receiver).wrong).toEqual([
      expect.stringContaining('the same was posted as evt_1 and as evt_2'),
      'event evt_1 was posted again with other content',
      'event evt_3 was posted as evt_4',
    ])
  })
})

describe('the table', () => {
  it('has a line for each trouble with what came while it lasted, or says that it did not come', () => {
    const phases = [
      { trouble: 'silent bucket', from: 0, to: 1500 },
      { trouble: 'full disk', from: 1500, to: 1500, skipped: 'nobody may mount' },
    ]
    const answers = [
      { at: 0, refusal: undefined, inWords: true },
      { at: 1, refusal: 'not_found', inWords: true },
      { at: 1, refusal: 'not_found', inWords: true },
      { at: 1500, refusal: undefined, inWords: true },
    ]
    const doubled = ['evt_1', 'evt_1', 'evt_2'].map((id) => ({ id, at: 5 }))
    const lost = [{ what: 'a still', at: 1, why: 'gone' }]
    const lines = tableOf(phases, { answers, lost, doubled }).split('\n').slice(1)
    expect(lines.map((line) => line.replace(/ {2,}/g, ' | '))).toEqual([
      'silent bucket | 1.5 | 1 | 1 | 3 under 2 ids | 2 × not_found',
      'full disk | SKIPPED: nobody may mount',
    ])
  })
})
