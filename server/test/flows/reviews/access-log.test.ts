import { expect, it } from 'vitest'
import { refusalOf } from '../../test-support/refusal.ts'
import { describeReviews } from './reviews.test-support.ts'

describeReviews('the access log of a session', (t) => {
  const read = async (id: string, by: { headers: { cookie: string } }, query: object = {}) =>
    (await t.people.portal().call('portal.sessions.accessLog', { params: { id }, headers: by.headers, query })).data

  it('says who opened what, newest first, and nothing of what else was done', async () => {
    const reviewer = await t.seat('reviewer')
    const session = await t.live()
    const other = await t.live()
    const evidenceId = await t.deliver(session)
    await t.deliver(other)
    const params = { id: evidenceId }
    const at: string[] = []
    const tick = () => {
      t.server.clock.advance(1000)
      at.unshift(new Date(t.server.clock.now()).toISOString())
    }
    tick()
    await t.people.portal().call('portal.evidence.get', { params, headers: reviewer.headers })
    tick()
    const url = `${t.server.url}/v1/evidence/${evidenceId}/content`
    const part = await fetch(url, { headers: { ...reviewer.headers, range: 'bytes=2-5' } })
    expect([part.status, (await part.arrayBuffer()).byteLength]).toEqual([206, 4])
    tick()
    const { data: link } = await t.api().call('evidence.downloadUrl', { params })
    tick()
    const whole = await fetch(link.url.replace(t.server.app.config.baseUrl, t.server.url))
    const { byteLength } = await whole.arrayBuffer()
    await t.addNote(reviewer, session.id, { text: 'Seen.' })
    const log = await read(session.id, reviewer)
    const person = { kind: 'user', id: reviewer.userId, name: reviewer.email }
    const minter = log.items[1]?.who
    expect(log.items.map(({ seq: _place, ...item }) => item)).toEqual([
      {
        at: at[0],
        what: 'evidence.downloaded',
        evidenceId,
        range: { start: 0, end: byteLength },
        who: { ...minter, kind: 'download' },
      },
      {
        at: at[1],
        what: 'evidence.download_link_created',
        evidenceId,
        who: { kind: 'api_key', id: expect.any(String), name: expect.any(String) },
      },
      { at: at[2], who: person, what: 'evidence.downloaded', evidenceId, range: { start: 2, end: 6 } },
      { at: at[3], who: person, what: 'evidence.viewed', evidenceId },
    ])
    expect(log).toMatchObject({ total: 4, totalIsExact: true })
    const first = await read(session.id, reviewer, { limit: 3 })
    const rest = await read(session.id, reviewer, { limit: 3, cursor: first.nextCursor })
    expect([...first.items, ...rest.items]).toEqual(log.items)
    expect((await read(other.id, reviewer)).items).toEqual([])
  })

  it('stays after an erasure, and is for owners, admins and reviewers of the organisation', async () => {
    const owner = await t.seat('owner')
    const session = await t.live()
    const params = { id: await t.deliver(session) }
    await t.people.portal().call('portal.evidence.get', { params, headers: owner.headers })
    await t.end(session)
    await t.api().call('sessions.erase', { params: { id: session.id } })
    for (const role of ['owner', 'admin', 'reviewer'] as const)
      expect((await read(session.id, await t.seat(role))).total).toBe(1)
    expect(await refusalOf(read(session.id, await t.seat('interviewer')))).toMatchObject({ status: 403 })
    const stranger = await t.people.member('owner', t.server.orgs[1].orgId)
    expect(await refusalOf(read(session.id, stranger))).toMatchObject({ status: 404 })
  })
})
