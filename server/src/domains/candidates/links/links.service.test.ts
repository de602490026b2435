import { ServiceError } from '@integrity/protocol'
import { describe, expect, it } from 'vitest'
import { refuseEndedLink } from './links.service.ts'

/** What a link that was let in a moment ago may still do, by the row that its writer finds in its transaction. */
const refusalOf = (row: object | undefined, now: number): Promise<unknown> => {
  const call = {
    scope: { orgId: 'org_1', environment: 'live' },
    reader: { get: () => Promise.resolve(row) },
    clock: { now: () => now },
  }
  return refuseEndedLink(call as never, 'lnk_1').catch((error: unknown) =>
    error instanceof ServiceError ? [error.code, error.extra] : error,
  )
}

describe('a link that was let in', () => {
  const row = { expiresAt: 1000, endedAt: null, endReason: null }

  it('writes until it expires, to the millisecond, and not after that', async () => {
    expect(await refusalOf(row, 999)).toBeUndefined()
    expect(await refusalOf(row, 1000)).toEqual(['unauthorized', { reason: 'expired' }])
  })

  it('writes nothing once it has ended, and says why', async () => {
    expect(await refusalOf({ ...row, endedAt: 5, endReason: 'replaced' }, 6)).toEqual([
      'unauthorized',
      { reason: 'replaced' },
    ])
  })

  it('writes nothing where there is none', async () => {
    expect(await refusalOf(undefined, 6)).toEqual(['unauthorized', { reason: 'expired' }])
  })
})
