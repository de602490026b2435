import { beforeAll, expect, it } from 'vitest'
import { describeEachDatabase } from '../../../test/test-support/databases.ts'
import { migrations } from '../../migrations/index.ts'
import type { MigratableDb } from '../../platform/db/dialect.ts'
import { claimKey, deleteExpiredKeysOfAllOrgs, findAnswer, type KeyScope, rememberAnswer } from './idempotency.store.ts'

const day = 24 * 3_600_000
const start = Date.parse('2026-09-04T10:00:00.000Z')

describeEachDatabase('remembered keys', (open) => {
  let db: MigratableDb
  let other: MigratableDb
  let keys = 0

  beforeAll(async () => {
    db = await open(migrations)
    other = await open(migrations)
  })

  const newKey = (): KeyScope => ({
    orgId: 'org_1',
    credential: 'key_1',
    endpoint: 'sessions.create',
    key: `req-${++keys}`,
  })
  const claim = (scope: KeyScope, now = start, of = db) =>
    of.transact((tx) => claimKey(tx, scope, 'hash', now, now + day))
  const remember = (scope: KeyScope, now = start, answer = 'wrapped') =>
    db.transact(async (tx) => {
      if (!(await claimKey(tx, scope, 'hash', now, now + day))) return false
      await rememberAnswer(tx, scope, { status: 201, answer: answer, sessionId: null })
      return true
    })

  it('are claimed once, and then give back the answer', async () => {
    const scope = newKey()
    expect(await findAnswer(db.reader, scope, start)).toBeUndefined()
    expect(await remember(scope)).toBe(true)
    expect(await claim(scope)).toBe(false)
    expect(await findAnswer(db.reader, scope, start)).toEqual({ bodyHash: 'hash', status: 201, answer: 'wrapped' })
  })

  it('belong to one organisation, one credential and one endpoint', async () => {
    const scope = newKey()
    await remember(scope)
    for (const change of [{ orgId: 'org_2' }, { credential: 'key_2' }, { endpoint: 'sessions.end' }, { key: 'REQ' }]) {
      const foreign = { ...scope, ...change }
      expect(await findAnswer(db.reader, foreign, start)).toBeUndefined()
      expect(await claim(foreign)).toBe(true)
    }
  })

  it('are claimed by exactly one of many at once, in two processes', async () => {
    const scope = newKey()
    let effects = 0
    const request = (of: MigratableDb) =>
      of.transact(async (tx) => {
        if (!(await claimKey(tx, scope, 'hash', start, start + day)))
          return (await findAnswer(tx, scope, start))?.answer
        effects += 1
        await rememberAnswer(tx, scope, { status: 201, answer: 'the first', sessionId: null })
        return 'the first'
      })
    const answers = await Promise.all(Array.from({ length: 30 }, (_, n) => request(n % 2 ? db : other)))
    expect(effects).toBe(1)
    expect(new Set(answers)).toEqual(new Set(['the first']))
  })

  it('are free again when the transaction of the effect was rolled back', async () => {
    const scope = newKey()
    const crashed = db.transact(async (tx) => {
      await claimKey(tx, scope, 'hash', start, start + day)
      await rememberAnswer(tx, scope, { status: 201, answer: 'never', sessionId: null })
      throw new Error('crashed')
    })
    await expect(crashed).rejects.toThrow('crashed')
    expect(await findAnswer(db.reader, scope, start)).toBeUndefined()
    expect(await remember(scope)).toBe(true)
  })

  it('are forgotten after 24 hours, and not a millisecond before', async () => {
    const scope = newKey()
    await remember(scope)
    expect(await findAnswer(db.reader, scope, start + day - 1)).toBeDefined()
    expect(await claim(scope, start + day - 1)).toBe(false)
    expect(await findAnswer(db.reader, scope, start + day)).toBeUndefined()
    expect(await remember(scope, start + day, 'anew')).toBe(true)
    expect((await findAnswer(db.reader, scope, start + day))?.answer).toBe('anew')
  })

  it('are cleared away once they have expired, a bounded number at a time, and no others', async () => {
    await db.transact((tx) => tx.run('DELETE FROM idempotency_keys'))
    for (let n = 0; n < 5; n++) await remember({ ...newKey(), orgId: `org_${n}` })
    const fresh = newKey()
    await remember(fresh, start + 1)
    const clear = () => db.transact((tx) => deleteExpiredKeysOfAllOrgs(tx, start + day, 3))
    expect([await clear(), await clear(), await clear()]).toEqual([3, 2, 0])
    expect(await findAnswer(db.reader, fresh, start + day)).toBeDefined()
  })
})
