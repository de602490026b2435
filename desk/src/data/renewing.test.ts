import { failed } from '@integrity/client/test-support/failed'
import { describe, expect, it } from 'vitest'
import { renewing } from './renewing.ts'

interface Things {
  thing: { params: undefined; query: undefined; body: undefined; meta: undefined; result: string }
}

/** A service whose access cookie has ended until it is renewed; `renewals` are how each attempt at that goes. */
const service = (renewals: readonly (Error | 'renewed')[]) => {
  let signedIn = false
  const seen = { asked: 0, renewed: 0 }
  const caller = {
    call: async () => {
      seen.asked += 1
      if (!signedIn) throw failed('unauthorized')
      return { data: 'there' as never, status: 200, headers: new Headers() }
    },
  }
  const renew = async () => {
    const outcome = renewals[seen.renewed]
    seen.renewed += 1
    await Promise.resolve()
    if (outcome !== 'renewed') throw outcome
    signedIn = true
  }
  return { seen, own: renewing<Things>(caller, renew) }
}

describe('calls as whoever is signed in', () => {
  it('renew an access that has ended once for all that wait, and are made again', async () => {
    const { own, seen } = service(['renewed'])
    const answers = await Promise.all([own.call('thing'), own.call('thing'), own.call('thing')])
    expect(answers.map(({ data }) => data)).toEqual(['there', 'there', 'there'])
    expect(seen).toEqual({ asked: 6, renewed: 1 })
  })

  it('fail where it cannot be renewed, and try that again with the next call', async () => {
    const { own, seen } = service([failed('unauthorized'), 'renewed'])
    await expect(own.call('thing')).rejects.toMatchObject({ kind: 'unauthorized' })
    expect((await own.call('thing')).data).toBe('there')
    expect(seen.renewed).toBe(2)
  })
})
