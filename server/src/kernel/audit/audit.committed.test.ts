import type { AuditAction } from '@integrity/protocol'
import { describe, expect, it } from 'vitest'
import { sealPayload } from './audit.chain.ts'
import { commitmentOf, recordSalt, type SessionRecord } from './audit.commitments.ts'
import { Committed } from './audit.committed.ts'

const sessionId = 'ses_1'
const salt = 'ab'.repeat(16)

/** What rows come to, each given by its action, its target and what its payload says. */
const committed = (...rows: readonly (readonly [AuditAction, string, Record<string, unknown> | null, 'lost'?])[]) => {
  const all = new Committed(sessionId)
  for (const [n, [action, target, said, lost]] of rows.entries()) {
    const sealed = said && sealPayload(said)
    const beside = sealed && !lost ? { salt: sealed.salt, payload: sealed.text } : { salt: null, payload: null }
    all.take({ seq: n + 1, action, target, payloadHash: sealed?.hash ?? null, ...beside })
  }
  return all
}
const note = (id: string) => ({ kind: 'note', id }) as const

describe('a commitment', () => {
  const record: SessionRecord = { kind: 'statement', id: 'msg_1', value: { text: 'I confess' } }

  it('is another for each record, session and word, and none of what is not there', () => {
    const others = [
      commitmentOf(salt, { ...record, id: 'msg_2' }),
      commitmentOf(salt, { ...record, kind: 'message' }),
      commitmentOf(salt, { ...record, value: { text: 'I confess.' } }),
      commitmentOf('cd'.repeat(16), record),
    ]
    expect(new Set([commitmentOf(salt, record), ...others]).size).toBe(5)
    expect(commitmentOf(salt, { ...record, value: null })).toBeNull()
  })

  it('is told from the salt of one record alone, which tells that of no other', () => {
    expect(recordSalt(salt, record)).toHaveLength(32)
    expect(recordSalt(salt, record)).not.toEqual(recordSalt(salt, { kind: 'statement', id: 'msg_2' }))
  })
})

describe('what rows commit to', () => {
  it('is what the newest of them says', () => {
    const all = committed(
      ['session.created', sessionId, { records: { session: 'one' } }],
      ['note.added', 'not_1', { records: { note: 'two' } }],
      ['session.config_changed', sessionId, { records: { session: 'three' } }],
    )
    expect(all.of({ kind: 'session', id: sessionId })).toEqual({ hash: 'three' })
    expect(all.find(note('not_1'))).toBe(true)
    expect(all.find(note('not_2'))).toBe(false)
    expect([...all.missing()]).toEqual([{ kind: 'session', id: sessionId }])
  })

  it('of an earlier version is that something was written, and not what', () => {
    const all = committed(
      ['note.added', 'not_1', null],
      ['note.added', 'not_2', null],
      ['session.registered', sessionId, { documentHash: 'x' }],
    )
    expect(all.of(note('not_1'))).toBeUndefined()
    expect(all.find(note('not_1'))).toBe(true)
    expect(all.find({ kind: 'session', id: sessionId })).toBe(true)
    // One answer was registered; a second is nobody's.
    expect([all.find({ kind: 'consent', id: 'cns_1' }), all.find({ kind: 'consent', id: 'cns_2' })]).toEqual([
      true,
      false,
    ])
    expect([...all.missing()]).toEqual([note('not_2')])
    expect(all.lostAt).toBeUndefined()
  })

  it('is not known any more once an earlier version, started again, has changed it', () => {
    const all = committed(
      ['session.created', sessionId, { records: { session: 'one' } }],
      ['session.config_changed', sessionId, { changed: true }],
    )
    expect(all.of({ kind: 'session', id: sessionId })).toBeUndefined()
  })

  it('is missed at the row whose payload was taken away', () => {
    const all = committed(['note.added', 'not_1', { records: { note: 'one' } }, 'lost'])
    expect(all.lostAt).toBe(1)
  })

  it('is said anew by an erasure, which takes payloads away; that evidence was stored stays known', () => {
    const all = committed(
      ['evidence.stored', 'evd_1', { records: { evidence: 'one', evidence_said: 'two' } }, 'lost'],
      ['note.added', 'not_1', { records: { note: 'three' } }, 'lost'],
      ['session.erased', sessionId, { records: { 'note not_1': 'four', session: 'five' } }],
    )
    expect([all.lostAt, all.isErased]).toEqual([undefined, true])
    expect(all.of(note('not_1'))).toEqual({ hash: 'four' })
    expect([...all.missing()].map(({ kind }) => kind).sort()).toEqual(['evidence', 'evidence_said', 'note', 'session'])
    expect(all.find(note('not_2'))).toBe(false)
  })

  it('is nothing after an erasure by an earlier version, which leaves everything to be there', () => {
    const all = committed(
      ['note.added', 'not_1', { records: { note: 'one' } }, 'lost'],
      ['session.erased', sessionId, { objects: 0 }],
    )
    expect([...all.missing()]).toEqual([])
    expect(all.find(note('not_1'))).toBe(true)
    expect(all.lostAt).toBeUndefined()
  })
})
