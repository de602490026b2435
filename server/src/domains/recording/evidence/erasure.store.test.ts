import { beforeAll, beforeEach, expect, it } from 'vitest'
import { describeEachDatabase } from '../../../../test/test-support/databases.ts'
import { insertRow } from '../../../../test/test-support/session-row.ts'
import { addOrg } from '../../../kernel/audit/audit.test-support.ts'
import { migrations } from '../../../migrations/index.ts'
import type { MigratableDb } from '../../../platform/db/dialect.ts'
import { buryRows, countErased, type Erasure, releaseObjects, sumPending } from './erasure.store.ts'
import { findByBytes, findByClientId, insertEvidence, takePositions } from './evidence.store.ts'
import type { EvidenceRow } from './evidence.types.ts'
import { insertObjects, shareObjectOf } from './objects.store.ts'

const scope = { orgId: 'org_1', environment: 'live' } as const
const unsigned = {
  signingKey: null,
  signingSequence: null,
  signingPrevious: null,
  signingSignature: null,
  signingVerified: null,
}

describeEachDatabase('the statements that erase evidence', (open) => {
  let db: MigratableDb
  let sessions = 0
  let sessionId = ''
  const place = () => ({ sessionId, evidenceType: 'screenshot' as const })

  beforeAll(async () => {
    db = await open(migrations)
    await addOrg(db, scope.orgId)
  })
  beforeEach(async () => {
    sessionId = `ses_${++sessions}`
    await insertRow(db, scope, sessionId)
  })

  const store = (name: string, objectId: string) =>
    db.transact(async (tx) => {
      const positions = await takePositions(tx, scope, place(), { objects: 1, sizeBytes: 10 })
      const row: EvidenceRow = {
        ...unsigned,
        ...place(),
        ...positions,
        id: `evd_${sessions}${name}`,
        clientId: name,
        objectId,
        sizeBytes: 10,
        sha256: objectId,
        contentType: 'image/png',
        capturedAt: 1,
        durationMs: null,
        metadata: '{"a":1}',
        createdAt: 1,
        source: 'screen:1',
        sentBy: 'agent',
        decodable: null,
        seenDecodable: null,
        sequence: -1,
        playedAt: null,
        erasedAt: null,
      }
      await insertEvidence(tx, scope, [{ ...row, mac: '' }])
      return row
    })
  /** Two rows with one object, and one with another. */
  const stored = async () => {
    const objectId = `obj_${sessions}`
    const object = { storeKey: objectId, header: 'key', sizeBytes: 10, createdAt: 1 }
    await db.transact((tx) => insertObjects(tx, scope, [{ ...object, objectId, sha256: objectId, refs: 1 }]))
    const first = await store('a', objectId)
    await db.transact((tx) => shareObjectOf(tx, scope, first.id))
    await store('b', objectId)
    return { first, objectId }
  }
  const erase = (erasure: Omit<Erasure, 'sessionId'> = {}) =>
    db.transact(async (tx) => {
      const of = { sessionId, ...erasure }
      const gone = await sumPending(tx, scope, of)
      await releaseObjects(tx, scope, of, 5)
      await countErased(tx, scope, sessionId, gone)
      await buryRows(tx, scope, of, 5)
      return gone
    })
  const objectOf = (objectId: string) =>
    db.reader.get('SELECT refs, header FROM objects WHERE org_id = ? AND object_id = ?', [scope.orgId, objectId])
  const totals = () =>
    db.reader.get(
      'SELECT kept_objects AS kept, size_bytes AS bytes FROM evidence_totals WHERE org_id = ? AND session_id = ?',
      [scope.orgId, sessionId],
    )

  it('shred an object with the last row that refers to it, and not before', async () => {
    const { objectId } = await stored()
    await erase({ until: 1 })
    expect(await objectOf(objectId)).toEqual({ refs: 1, header: 'key' })
    await erase()
    expect(await objectOf(objectId)).toEqual({ refs: 0, header: null })
  })

  it('shred it too when all its rows go at once', async () => {
    const { objectId } = await stored()
    await erase()
    expect(await objectOf(objectId)).toEqual({ refs: 0, header: null })
  })

  it('know an item by its clientId among those of its type', async () => {
    await stored()
    expect((await findByClientId(db.reader, scope, place(), 'a'))?.clientId).toBe('a')
    const other = { sessionId, evidenceType: 'camera_frame' } as const
    expect(await findByClientId(db.reader, scope, other, 'a')).toBeUndefined()
  })

  it('count what goes once, however often they are asked', async () => {
    await stored()
    expect(await totals()).toEqual({ kept: 2, bytes: 20 })
    await erase({ until: 1 })
    expect(await totals()).toEqual({ kept: 1, bytes: 10 })
    await erase({ until: 1 })
    expect(await totals()).toEqual({ kept: 1, bytes: 10 })
    expect(await erase()).toEqual([{ evidenceType: 'screenshot', objects: 1, sizeBytes: 10 }])
    expect(await totals()).toEqual({ kept: 0, bytes: 0 })
  })

  it('leave nothing of a row that the agent said about it', async () => {
    await stored()
    await erase()
    const said = await db.reader.all('SELECT DISTINCT metadata FROM evidence WHERE session_id = ?', [sessionId])
    expect(said).toEqual([{ metadata: '{}' }])
  })

  it('leave no bytes that another row could share', async () => {
    const { first, objectId } = await stored()
    await erase()
    expect(await findByBytes(db.reader, scope, place(), objectId)).toBeUndefined()
    expect(await db.transact((tx) => shareObjectOf(tx, scope, first.id))).toBe(false)
  })
})
