import { describe, expect, it } from 'vitest'
import { IntegrityError } from '../../client/src/errors.ts'
import { statusByCode } from '../../client/src/generated/pack-contract.ts'
import { isWithoutPacks, itemRefusal } from '../../client/src/pack-refusals.ts'
import { errorCodes } from '../../src/core/errors.ts'

const refused = (error?: { code: string; message: string; retryAfterSeconds?: number }) =>
  itemRefusal({ clientId: 'one', status: 'refused', ...(error && { error }) })

describe('the refusal of an item of a pack', () => {
  it('has the status of every code of the registry', () => {
    const declared = Object.entries(errorCodes).map(([code, { status }]) => [code, status])
    expect(statusByCode).toEqual(Object.fromEntries(declared))
  })

  it('reads as the answer to that item alone', () => {
    const busy = refused({ code: 'rate_limited', message: 'later', retryAfterSeconds: 7 })
    expect(busy).toMatchObject({ code: 'rate_limited', status: 429, kind: 'too_many', retryAfterMs: 7000 })
    expect(refused({ code: 'forbidden', message: 'declined' })).toMatchObject({ kind: 'forbidden', isAnswer: true })
  })

  it('is for good with a code of a newer service, and passes where no reason was given', () => {
    expect(refused({ code: 'too_dark', message: 'no' })).toMatchObject({ kind: 'refused', message: 'no' })
    expect(refused()).toMatchObject({ code: 'internal_error', isPassing: true })
  })
})

describe('a service without packs', () => {
  it.each([
    [404, true],
    [405, true],
    [400, false],
    [503, false],
  ])('answers %i: %s', (status, without) => {
    expect(isWithoutPacks(new IntegrityError({ code: 'not_the_service', status, message: 'no' }))).toBe(without)
  })
})
