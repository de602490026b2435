import { hash } from 'node:crypto'
import { expect, it } from 'vitest'
import { sentRequest, wordsFor } from '../../test-support/candidate-requests.ts'
import { refusalOf } from '../../test-support/refusal.ts'
import type { Seat } from '../people/people.test-support.ts'
import { describeReviews } from './reviews.test-support.ts'

interface Statement {
  readonly id?: string | null
  readonly at: string
  readonly text: string | null
  readonly readAt: string | null
}
const words = wordsFor('context_statement') ?? ''

describeReviews("what the candidate wrote, beside the session's report", (t) => {
  const scope = () => ({ orgId: t.orgId, environment: 'sandbox' }) as const
  const write = async (sessionId: string) => {
    t.server.clock.advance(1000)
    return (await sentRequest(t.server, scope(), sessionId, 'context_statement')).id
  }
  const signOff = async (by: Seat, id: string, body: object = {}) =>
    (
      await t.people.portal().call('portal.report.signOff', {
        params: { id },
        headers: by.headers,
        body: { expectedRevision: 0, ...body },
      })
    ).data
  const params = (requestId: string) => ({ orgId: t.orgId, requestId })
  const markRead = async (by: Seat, requestId: string, body: object = {}) =>
    (
      await t.people.portal().call('portal.candidateRequests.complete', {
        params: params(requestId),
        headers: by.headers,
        body,
      })
    ).data
  const fileOf = async (by: Seat, id: string, query: string) => {
    const answer = await fetch(`${t.server.url}/v1/sessions/${id}/report/export?${query}`, { headers: by.headers })
    const text = await answer.text()
    expect(answer.status, text).toBe(200)
    expect(hash('sha256', text, 'hex')).toBe(answer.headers.get('x-service-report-sha256'))
    return { text, ...(JSON.parse(text) as { statements: Statement[] }) }
  }

  it('stops a sign-off while it is unread, and says how to go on', async () => {
    const owner = await t.seat('owner')
    const { id } = await t.ended(owner)
    const requestId = await write(id)
    const refusal = await refusalOf(signOff(owner, id))
    expect(refusal).toMatchObject({ status: 409, code: 'conflict' })
    expect(refusal.message).toMatch(/unread.*\/complete.*acknowledgeUnread: true/)
    expect(await t.eventsOf(id, 'report.finalized')).toEqual([])
    await markRead(owner, requestId)
    expect(await signOff(owner, id)).toMatchObject({ revision: 1 })
  })

  it('stops nothing where the signer says that they know, nor once it was declined', async () => {
    const owner = await t.seat('owner')
    const first = await t.ended(owner)
    await write(first.id)
    expect(await signOff(owner, first.id, { acknowledgeUnread: true })).toMatchObject({ revision: 1 })
    expect((await fileOf(owner, first.id, 'format=json&revision=1')).statements).toMatchObject([{ readAt: null }])
    await t.move(owner, first.reviewId, 'open', 'in_review')
    expect(await t.move(owner, first.reviewId, 'in_review', 'completed')).toMatchObject({ state: 'completed' })
    const second = await t.ended(owner)
    const requestId = await write(second.id)
    const body = { text: 'Not about this interview.' }
    await t.people
      .portal()
      .call('portal.candidateRequests.decline', { params: params(requestId), headers: owner.headers, body })
    expect(await signOff(owner, second.id)).toMatchObject({ revision: 1 })
  })

  it('makes a sign-off before it stale, once, and the review cannot be completed until somebody signs again', async () => {
    const owner = await t.seat('owner')
    const { id, reviewId } = await t.ended(owner)
    await t.signOff(owner, id)
    await t.move(owner, reviewId, 'open', 'in_review')
    const first = await write(id)
    await markRead(owner, first)
    await write(id)
    expect(await t.eventsOf(id, 'report.stale')).toEqual([1])
    expect((await t.api().call('sessions.reviewStatus', { params: { id } })).data).toMatchObject({
      approved: false,
      stale: true,
      status: 'stale',
    })
    expect(await refusalOf(t.move(owner, reviewId, 'in_review', 'completed'))).toMatchObject({ status: 409 })
    expect(await refusalOf(signOff(owner, id, { expectedRevision: 1 }))).toMatchObject({ status: 409 })
    await signOff(owner, id, { expectedRevision: 1, acknowledgeUnread: true })
    expect(await t.move(owner, reviewId, 'in_review', 'completed')).toMatchObject({ state: 'completed' })
  })

  it('keeps a review open that was signed off before reports told of it', async () => {
    const owner = await t.seat('owner')
    const { id, reviewId } = await t.ended(owner)
    await t.signOff(owner, id)
    await t.move(owner, reviewId, 'open', 'in_review')
    const requestId = await write(id)
    await t.server.app.db.transact(async (tx) => {
      const document = '{"format":"session-report/1"}'
      await tx.run(
        `INSERT INTO report_revisions (org_id, session_id, revision, environment, document, sha256, statement, signed_off_at,
           signer_id, signer_name, signer_role)
         SELECT org_id, session_id, 2, environment, ?, sha256, statement, signed_off_at, signer_id, signer_name, signer_role
         FROM report_revisions WHERE session_id = ? AND revision = 1`,
        [document, id],
      )
    })
    const refusal = await refusalOf(t.move(owner, reviewId, 'in_review', 'completed'))
    expect(refusal).toMatchObject({ status: 409, message: expect.stringContaining('unread') })
    await markRead(owner, requestId)
    expect(await t.move(owner, reviewId, 'in_review', 'completed')).toMatchObject({ state: 'completed' })
  })

  it('stands in the report, for members and for keys, in what was signed, in the export and on the timeline', async () => {
    const owner = await t.seat('owner')
    const { id } = await t.ended(owner)
    const requestId = await write(id)
    const at = new Date(t.server.clock.now()).toISOString()
    t.server.clock.advance(1000)
    const readAt = new Date(t.server.clock.now()).toISOString()
    await markRead(owner, requestId)
    const statements = [{ at, text: words, readAt, moment: null }]
    expect((await t.api().call('sessions.report', { params: { id } })).data.statements).toEqual(statements)
    const signed = await signOff(owner, id)
    expect(signed.sha256AfterErasure).toMatch(/^[0-9a-f]{64}$/)
    const frozen = await fileOf(owner, id, 'format=json')
    expect(frozen.statements).toMatchObject(statements)
    expect(hash('sha256', frozen.text, 'hex')).toBe(signed.sha256)
    const exported = await fetch(`${t.server.url}/v1/sessions/${id}/export`, { headers: owner.headers })
    const kept = (await exported.json()) as { statements: object[]; timeline: object[] }
    expect(kept.statements).toEqual([{ requestId, ...statements[0] }])
    expect(kept.timeline).toContainEqual({ at, kind: 'statement', id: requestId })
    const timeline = (query: object) =>
      t.people.portal().call('portal.timeline', { params: { id }, headers: owner.headers, query })
    const entry = { kind: 'statement', at, statement: { requestId, text: words, readAt, moment: null } }
    expect((await timeline({})).data.items).toContainEqual(entry)
    expect((await timeline({ kind: 'statement' })).data).toMatchObject({ items: [entry], total: 1 })
  })

  it('goes with an erasure, out of what was signed too, whose rest stays as it was hashed at the signing', async () => {
    const owner = await t.seat('owner')
    const { id } = await t.ended(owner)
    await markRead(owner, await write(id))
    const signed = await signOff(owner, id)
    const before = await fileOf(owner, id, 'format=json&revision=1')
    await t.api().call('sessions.erase', { params: { id } })
    const after = await fileOf(owner, id, 'format=json&revision=1')
    expect(hash('sha256', after.text, 'hex')).toBe(signed.sha256AfterErasure)
    const [statement] = before.statements
    expect(after.statements).toEqual([{ ...statement, id: null, text: null }])
    const { text: _, ...rest } = after
    const { text: whole, ...all } = before
    expect({ ...rest, statements: [] }).toEqual({ ...all, statements: [] })
    expect(whole).toContain(words)
    expect((await t.api().call('sessions.report', { params: { id } })).data.statements).toMatchObject([{ text: null }])
    await expect(t.signOff(owner, id, 1)).resolves.toMatchObject({ revision: 2 })
  })

  it('is listed and marked as read by whoever may sign off, who sees nothing else of what candidates ask for', async () => {
    const signer = await t.holder(['report.view', 'report.sign_off'])
    const session = await t.live()
    const requestId = await write(session.id)
    const { id: other } = await sentRequest(t.server, scope(), session.id, 'access')
    const list = async (query: object) =>
      (
        await t.people
          .portal()
          .call('portal.candidateRequests.list', { params: { orgId: t.orgId }, headers: signer.headers, query })
      ).data.items
    const get = (id: string) =>
      t.people.portal().call('portal.candidateRequests.get', { params: params(id), headers: signer.headers })
    expect((await list({})).map(({ kind }) => kind)).not.toContain('access')
    expect((await list({ kind: 'context_statement' })).map(({ id }) => id)).toContain(requestId)
    expect((await get(requestId)).data).toMatchObject({ id: requestId, replyTo: null })
    const context = await t.people.portal().call('portal.candidateContext.get', {
      params: { orgId: t.orgId, sessionId: session.id },
      headers: signer.headers,
    })
    expect(context.data.statements).toMatchObject([{ requestId, text: words, readAt: null }])
    for (const refused of [
      () => list({ kind: 'access' }),
      () => get(other),
      () => markRead(signer, other),
      () => markRead(signer, requestId, { text: 'Thank you.' }),
    ])
      expect(await refusalOf(refused())).toMatchObject({ status: 403 })
    expect(await markRead(signer, requestId)).toMatchObject({ status: 'completed', decidedBy: signer.email })
  })
})
