import { hash } from 'node:crypto'
import { expect, it } from 'vitest'
import { canonicalize } from '../../../src/platform/canonical-json.ts'
import { refusalOf } from '../../test-support/refusal.ts'
import { anEvent, aSegment, scheduleSession } from '../../test-support/world.ts'
import { describeReviews } from './reviews.test-support.ts'

describeReviews('signing off a report', (t) => {
  const revisionsOf = (id: string) =>
    t.server.app.db.reader.all<{ revision: number; document: string; sha256: string }>(
      'SELECT revision, document, sha256 FROM report_revisions WHERE session_id = ? ORDER BY revision',
      [id],
    )
  const statusOf = async (id: string) => (await t.api().call('sessions.reviewStatus', { params: { id } })).data
  const captured = () => new Date(t.server.clock.now()).toISOString()

  it('freezes it as canonical JSON with its hash, the name and the role of then', async () => {
    const owner = await t.seat('owner')
    const session = await t.ended(owner)
    expect(await statusOf(session.id)).toMatchObject({ approved: false, stale: false, revision: 0, status: 'draft' })
    const signed = await t.signOff(owner, session.id, 0, 'I have read all of it.')
    expect(signed).toEqual({
      revision: 1,
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      statement: 'I have read all of it.',
      signedOffAt: captured(),
      signedOffBy: { name: owner.email, role: 'owner' },
      supersedes: null,
    })
    const [kept] = await revisionsOf(session.id)
    expect(kept!.sha256).toBe(signed.sha256)
    expect(hash('sha256', kept!.document, 'hex')).toBe(signed.sha256)
    expect(canonicalize(JSON.parse(kept!.document))).toBe(kept!.document)
    expect(await t.eventsOf(session.id, 'report.finalized')).toEqual([1])
    expect(await statusOf(session.id)).toMatchObject({
      approved: true,
      stale: false,
      revision: 1,
      status: 'signed_off',
      signedOffAt: captured(),
    })
  })

  it('is of a session that began and has ended', async () => {
    const owner = await t.seat('owner')
    const session = await scheduleSession(t.api())
    for (const words of ['has not ended', 'never began']) {
      expect(await refusalOf(t.signOff(owner, session.id))).toMatchObject({
        status: 409,
        message: expect.stringContaining(words),
      })
      if (words === 'has not ended') await t.end(session)
    }
    expect(await revisionsOf(session.id)).toEqual([])
  })

  it('supersedes the one before, for whoever has seen that one', async () => {
    const owner = await t.seat('owner')
    const { id } = await t.ended(owner)
    await t.signOff(owner, id)
    for (const seen of [0, 2])
      expect(await refusalOf(t.signOff(owner, id, seen))).toMatchObject({
        status: 409,
        message: expect.stringContaining('revision 1 is the newest'),
      })
    expect(await t.signOff(owner, id, 1)).toMatchObject({ revision: 2, supersedes: 1 })
    const many = await Promise.allSettled(Array.from({ length: 8 }, () => t.signOff(owner, id, 2)))
    expect(many.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await t.eventsOf(id, 'report.finalized')).toEqual([1, 2, 3])
  })

  it('is for sessions that were live and have ended, and for members who may', async () => {
    const owner = await t.seat('owner')
    const live = await t.live()
    expect(await refusalOf(t.signOff(owner, live.id))).toMatchObject({ status: 409 })
    const { id, reviewId } = await t.ended(owner)
    expect(await refusalOf(t.signOff(await t.seat('interviewer'), id))).toMatchObject({ status: 403 })
    const stranger = await t.people.member('owner', t.server.orgs[1].orgId)
    expect(await refusalOf(t.signOff(stranger, id))).toMatchObject({ status: 404 })
    const assigner = await t.holder(['report.view', 'session.review.assign'])
    expect(await refusalOf(t.signOff(assigner, id))).toMatchObject({ status: 403 })
    // Of those who may sign off, whoever has the review does.
    const [has, hasNot] = [await t.seat(), await t.seat()]
    await t.assign(owner, reviewId, has.id, null)
    expect(await refusalOf(t.signOff(hasNot, id))).toMatchObject({
      status: 403,
      message: expect.stringContaining('only the reviewer of this review'),
    })
    expect(await t.signOff(has, id)).toMatchObject({ revision: 1 })
  })

  const changes = {
    evidence: (session: { id: string; agent: string }) => t.deliver(session, captured()),
    events: (session: { id: string; agent: string }) =>
      t.server.client(session.agent).call('agent.events.ingest', {
        params: { id: session.id },
        body: { events: [anEvent(t.server, 'display.added')] },
      }),
    words: (session: { id: string; agent: string }) =>
      t.server.client(session.agent).call('agent.transcript.upsert', {
        params: { id: session.id },
        body: { segments: [{ ...aSegment(1), startMs: 0, endMs: 0 }] },
      }),
    note: async (session: { id: string }) => t.addNote(await t.seat(), session.id, { text: 'Late thought.' }),
    annotation: async (session: { id: string }) =>
      t.people.portal().call('portal.coverage.annotate', {
        params: { id: session.id },
        headers: (await t.seat()).headers,
        body: { at: captured(), meaning: 'benign', text: 'A second display.' },
      }),
    erasure: (session: { id: string }) => t.api().call('sessions.erase', { params: { id: session.id } }),
  } as const

  for (const order of [
    ['evidence', 'note', 'annotation', 'erasure'],
    ['annotation', 'evidence', 'note', 'erasure'],
    ['note', 'annotation', 'evidence', 'erasure'],
    ['events', 'words', 'evidence'],
    ['words', 'events'],
    ['erasure', 'note'],
  ] as const)
    it(`is stale once, whatever comes after it: ${order.join(', ')}`, async () => {
      const owner = await t.seat('owner')
      const session = await t.ended(owner)
      await t.signOff(owner, session.id)
      for (const name of order) {
        await changes[name](session)
        expect(await t.eventsOf(session.id, 'report.stale')).toEqual([1])
      }
      expect(await statusOf(session.id)).toMatchObject({ approved: false, stale: true, status: 'stale' })
      await t.signOff(owner, session.id, 1)
      expect(await statusOf(session.id)).toMatchObject({ approved: true, stale: false, revision: 2 })
      await t.addNote(owner, session.id, { text: 'After the second.' })
      expect(await t.eventsOf(session.id, 'report.stale')).toEqual([1, 2])
    })

  it('is stale once when everything comes at once', async () => {
    const owner = await t.seat('owner')
    const session = await t.ended(owner)
    await t.signOff(owner, session.id)
    await Promise.all([
      ...Array.from({ length: 4 }, () => changes.evidence(session)),
      ...Array.from({ length: 4 }, () => changes.note(session)),
      ...Array.from({ length: 4 }, () => changes.annotation(session)),
    ])
    expect(await t.eventsOf(session.id, 'report.stale')).toEqual([1])
  })

  it('says nothing of a note before it, or of what was delivered already', async () => {
    const owner = await t.seat('owner')
    const session = await t.ended(owner)
    await t.addNote(owner, session.id, { text: 'Before.' })
    await t.deliver(session)
    await t.signOff(owner, session.id)
    expect(await t.eventsOf(session.id, 'report.stale')).toEqual([])
  })

  it('raced by late evidence is either over it or stale, never neither and never both', async () => {
    const owner = await t.seat('owner')
    for (let round = 0; round < 8; round++) {
      const session = await t.ended(owner)
      const late = () => t.deliver(session)
      const sign = () => t.signOff(owner, session.id)
      await Promise.all(round % 2 ? [late(), sign()] : [sign(), late()])
      const [kept] = await revisionsOf(session.id)
      const { inventory } = JSON.parse(kept!.document) as { inventory: { objects: number }[] }
      const over = inventory.reduce((total, { objects }) => total + objects, 0) === 1
      const stale = (await t.eventsOf(session.id, 'report.stale')).length === 1
      expect([over, stale].filter(Boolean), `round ${round}`).toHaveLength(1)
      expect((await statusOf(session.id)).stale).toBe(stale)
    }
  })

  it('stays as it was signed, by SQL too', async () => {
    const owner = await t.seat('owner')
    const session = await t.ended(owner)
    await t.signOff(owner, session.id)
    const of = `WHERE session_id = '${session.id}'`
    for (const sql of [`UPDATE report_revisions SET statement = 'another' ${of}`, `DELETE FROM report_revisions ${of}`])
      await expect(t.server.app.db.transact((tx) => tx.run(sql))).rejects.toThrow('append-only')
  })

  it('shows in the queue what came after somebody had taken the review, until they look again', async () => {
    const owner = await t.seat('owner')
    const session = await t.ended(owner)
    const readiness = async () => (await t.get(owner, session.reviewId)).readiness
    await t.deliver(session)
    expect(await readiness()).toBe('collecting')
    await t.move(owner, session.reviewId, 'open', 'in_review')
    await t.addNote(owner, session.id, { text: 'A note is no evidence.' })
    expect(await readiness()).toBe('collecting')
    await t.deliver(session)
    expect(await readiness()).toBe('changed')
    expect((await t.list(owner, { readiness: 'changed', sessionId: session.id })).total).toBe(1)
    await t.signOff(owner, session.id)
    expect(await readiness()).toBe('collecting')
    await t.api().call('sessions.erase', { params: { id: session.id } })
    expect(await readiness()).toBe('erased')
    expect((await t.get(owner, session.reviewId)).state).toBe('in_review')
  })
})
