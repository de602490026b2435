import { IntegrityError } from '@integrity/client/errors'
import { describe, expect, it } from 'vitest'
import type { Identity } from './companion-api.ts'
import { LookingAgain } from './looking-again.ts'
import type { Ports } from './session.ports.ts'
import { Unpairing } from './unpairing.ts'

const who: Identity = { token: 'cmp_1', sessionId: 'ses_1' }
const refused = (status: number, retryAfterMs?: number) =>
  new IntegrityError({ code: 'internal_error', message: 'no', status, retryAfterMs })

/** A clock that is wound by hand, and what waits for it. */
const handWound = () => {
  const waiting: { readonly ms: number; readonly action: () => void }[] = []
  const time: Ports['time'] = {
    random: () => 0.5,
    after: (ms, action) => {
      const one = { ms, action }
      waiting.push(one)
      return () => void (waiting.includes(one) && waiting.splice(waiting.indexOf(one), 1))
    },
  }
  return { time, waiting, goOn: () => waiting.shift()?.action() }
}
const settled = () => new Promise<void>((resolve) => setImmediate(resolve))

describe('letting go', () => {
  const begin = (answers: (Error | undefined)[]) => {
    const clock = handWound()
    let asked = 0
    let missed = 0
    const unpair = async () => {
      asked += 1
      const answer = answers.shift()
      if (answer) throw answer
    }
    const unpairing = new Unpairing({ api: { unpair } as unknown as Ports['api'], time: clock.time }, () => {
      missed += 1
    })
    let over = false
    void unpairing.tell(who).then(() => {
      over = true
    })
    return { ...clock, unpairing, counts: () => ({ asked, missed, over }) }
  }

  it('is over when the service has heard it', async () => {
    const t = begin([undefined])
    await settled()
    expect(t.counts()).toEqual({ asked: 1, missed: 0, over: true })
  })

  it('is tried again later and later while nobody answers, and never sooner than was asked', async () => {
    const t = begin([refused(503), refused(503), refused(429, 90_000), undefined])
    const waits: number[] = []
    for (let tries = 0; tries < 3; tries += 1) {
      await settled()
      waits.push(t.waiting[0]?.ms ?? 0)
      t.goOn()
    }
    await settled()
    expect(waits[1]).toBeGreaterThan(waits[0] ?? 0)
    expect(waits[2]).toBeGreaterThanOrEqual(90_000)
    expect(t.counts()).toEqual({ asked: 4, missed: 3, over: true })
  })

  it('is over with an answer that stays, whatever it says', async () => {
    const t = begin([refused(401)])
    await settled()
    expect(t.counts()).toEqual({ asked: 1, missed: 0, over: true })
  })

  it('asks no more once nobody waits for it', async () => {
    const t = begin([refused(503), undefined])
    await settled()
    t.unpairing.stop()
    expect(t.waiting).toEqual([])
    expect(t.counts()).toEqual({ asked: 1, missed: 1, over: false })
  })
})

describe('looking again', () => {
  const begin = (status: () => unknown) => {
    const clock = handWound()
    const heard: string[] = []
    const api = { status: async () => status() } as unknown as Ports['api']
    const looking = new LookingAgain(
      { api, time: clock.time },
      {
        onWanted: () => heard.push('wanted'),
        onNotWanted: () => heard.push('not wanted'),
        onGone: () => heard.push('gone'),
      },
    )
    return { ...clock, looking, heard }
  }
  const statusOf = (consent: string, enabled: boolean) => ({ consent, config: { sideView: { enabled } } })

  it.each([
    ['policy and consent say yes', () => statusOf('granted', true), 'wanted'],
    ['consent is withdrawn', () => statusOf('declined', true), 'not wanted'],
    ['the policy asks for none', () => statusOf('granted', false), 'not wanted'],
    [
      'nobody answers',
      () => {
        throw refused(503)
      },
      'not wanted',
    ],
    [
      'the pairing is over',
      () => {
        throw refused(401)
      },
      'gone',
    ],
  ] as const)('hears when %s', async (_name, status, word) => {
    const t = begin(status)
    t.looking.later(() => who)
    t.goOn()
    await settled()
    expect(t.heard).toEqual([word])
  })

  it('asks once for however many pauses, nothing when stopped, and for nobody when nobody is there', async () => {
    const t = begin(() => statusOf('granted', true))
    t.looking.later(() => who)
    t.looking.later(() => who)
    expect(t.waiting).toHaveLength(1)
    t.looking.stop()
    expect(t.waiting).toEqual([])
    t.looking.later(() => undefined)
    t.goOn()
    await settled()
    expect(t.heard).toEqual([])
  })
})
