import { expect, it } from 'vitest'
import { refusalOf } from '../../test-support/refusal.ts'
import { plantRemarks } from '../../test-support/remarks.ts'
import { anEvent } from '../../test-support/world.ts'
import { describeReviews } from './reviews.test-support.ts'

describeReviews('notes and annotations', (t) => {
  const notes = async (id: string) =>
    (
      await t.people.portal().call('portal.notes.list', {
        params: { id },
        headers: (await t.seat()).headers,
        query: { limit: 100 },
      })
    ).data
  const change = (sql: string) => t.server.app.db.transact((tx) => tx.run(sql))
  const eventOf = async (session: { id: string; agent: string }) => {
    const body = { events: [anEvent(t.server, 'display.added')] }
    await t.server.client(session.agent).call('agent.events.ingest', { params: { id: session.id }, body })
    const { data } = await t.api().call('sessions.events.list', { params: { id: session.id } })
    return data.items[0]!.id
  }
  const annotate = async (id: string, body: object, by?: { headers: { cookie: string } }) =>
    (
      await t.people.portal().call('portal.coverage.annotate', {
        params: { id },
        headers: (by ?? (await t.seat())).headers,
        body: { meaning: 'benign', text: 'As they had said.', ...body } as never,
      })
    ).data

  it('are attributed by the name and the role of when they were written, oldest first', async () => {
    const owner = await t.seat('owner')
    const writer = await t.seat('reviewer')
    const { id } = await t.live()
    const first = await t.addNote(writer, id, { text: '  The second voice is the radio. ' })
    expect(first).toEqual({
      id: expect.stringMatching(/^not_/),
      text: 'The second voice is the radio.',
      anchor: null,
      author: { name: writer.email, role: 'reviewer' },
      createdAt: new Date(t.server.clock.now()).toISOString(),
    })
    await t.people.change(owner, writer, { role: 'admin' })
    const second = await t.addNote(writer, id, { text: 'And the third.' })
    const custom = await t.holder(['report.view', 'report.annotate'])
    const third = await t.addNote(custom, id, { text: 'By a role of our own.' })
    expect(second.author.role).toBe('admin')
    expect(third.author.role).toMatch(/^Role \d+$/)
    expect(await notes(id)).toMatchObject({ items: [first, second, third], total: 3 })
    const { data: report } = await t.api().call('sessions.report', { params: { id } })
    expect(report.notes.map(({ text, authorRole }) => [text, authorRole])).toContainEqual([first.text, 'reviewer'])
  })

  it('point at a moment, an evidence object or an event of their session, and at nothing else', async () => {
    const writer = await t.seat()
    const [mine, other] = [await t.live(), await t.live()]
    const [evidenceId, foreignEvidence] = [await t.deliver(mine), await t.deliver(other)]
    const [eventId, foreignEvent] = [await eventOf(mine), await eventOf(other)]
    t.server.clock.advance(60_000)
    await t.end(mine)
    for (const anchor of [{ atMs: 0 }, { atMs: 60_000 }, { evidenceId }, { eventId }])
      expect((await t.addNote(writer, mine.id, { text: 'Here.', anchor })).anchor).toEqual(anchor)
    const refused = [
      [{ atMs: 60_001 }, 'anchor.atMs'],
      [{ evidenceId: foreignEvidence }, 'anchor.evidenceId'],
      [{ evidenceId: 'evd_none' }, 'anchor.evidenceId'],
      [{ eventId: foreignEvent }, 'anchor.eventId'],
      [{ eventId: 'obs_none' }, 'anchor.eventId'],
    ] as const
    for (const [anchor, path] of refused) {
      const { status, details } = await refusalOf(t.addNote(writer, mine.id, { text: 'There.', anchor }))
      expect([status, details?.map((detail) => detail.path)]).toEqual([400, [path]])
    }
    for (const anchor of [{ atMs: -1 }, {}, { atMs: 1, evidenceId }, { at: 'noon' }])
      expect(await refusalOf(t.addNote(writer, mine.id, { text: 'There.', anchor }))).toMatchObject({ status: 400 })
  })

  it('hold 5,000 characters, and not one more', async () => {
    const writer = await t.seat()
    const { id } = await t.live()
    expect((await t.addNote(writer, id, { text: 'x'.repeat(5000) })).text).toHaveLength(5000)
    for (const text of ['x'.repeat(5001), '', '   ', 'a\u202eb'])
      expect(await refusalOf(t.addNote(writer, id, { text }))).toMatchObject({
        status: 400,
        details: [{ path: 'text' }],
      })
  })

  it('have a million characters together in a session, and say how many are left', async () => {
    const writer = await t.seat()
    const { id } = await t.live()
    const scope = { orgId: t.orgId, environment: 'sandbox' as const }
    await plantRemarks(t.server, scope, id, { kind: 'note', count: 198, text: 'न'.repeat(5000) })
    await plantRemarks(t.server, scope, id, { kind: 'annotation', count: 1, text: 'x'.repeat(5000) })
    await t.addNote(writer, id, { text: 'x'.repeat(4997) })
    for (const write of [
      () => t.addNote(writer, id, { text: 'four' }),
      () => annotate(id, { at: new Date(t.server.clock.now()).toISOString(), text: 'four' }),
    ])
      expect(await refusalOf(write())).toMatchObject({ status: 409, message: expect.stringMatching(/; 3 are left$/) })
    expect((await t.addNote(writer, id, { text: 'end' })).text).toBe('end')
    expect(await refusalOf(t.addNote(writer, id, { text: '.' }))).toMatchObject({ status: 409 })
  })

  it('are for members of the organisation who may write them', async () => {
    const { id } = await t.live()
    const stranger = await t.people.member('owner', t.server.orgs[1].orgId)
    expect(await refusalOf(t.addNote(stranger, id, { text: 'Hello.' }))).toMatchObject({ status: 404 })
    expect(await refusalOf(annotate(id, { at: new Date().toISOString() }, stranger))).toMatchObject({ status: 404 })
    const reader = await t.holder(['report.view'])
    expect(await refusalOf(t.addNote(reader, id, { text: 'Hello.' }))).toMatchObject({ status: 403 })
  })

  it('explain a moment by its id or by its time, inside the session', async () => {
    const session = await t.live()
    await eventOf(session)
    t.server.clock.advance(60_000)
    const at = new Date(t.server.clock.now()).toISOString()
    await t.end(session)
    t.server.clock.advance(5000)
    const coverage = async () =>
      (
        await t.people.portal().call('portal.coverage', {
          params: { id: session.id },
          headers: (await t.seat()).headers,
          query: { limit: 100 },
        })
      ).data
    const [moment] = (await coverage()).items
    const named = await annotate(session.id, { momentId: moment!.id, meaning: 'needs_context' })
    expect(named).toMatchObject({ id: expect.stringMatching(/^ann_/), momentId: moment!.id, at: moment!.at })
    const timed = await annotate(session.id, { at })
    expect(timed).toMatchObject({ momentId: null, at })
    const { items, annotations } = await coverage()
    expect(items.find(({ id }) => id === moment!.id)?.annotations).toEqual([named])
    expect(annotations).toEqual([timed])
    const later = new Date(t.server.clock.now()).toISOString()
    for (const body of [
      { at: later },
      { at: '2001-01-01T00:00:00Z' },
      { momentId: 'mom_none' },
      {},
      { at, momentId: moment!.id },
    ])
      expect(await refusalOf(annotate(session.id, body))).toMatchObject({ status: 400 })
  })

  it('cannot be edited or deleted, by SQL neither', async () => {
    const { id } = await t.live()
    const writer = await t.seat()
    const note = await t.addNote(writer, id, { text: 'For good.' })
    const columns =
      'org_id, session_id, kind, position, note_id, environment, meaning, text, author_id, author_name, author_role, created_at'
    const replaced = columns.replace(' text,', " 'another',")
    const sqls = [
      `UPDATE notes SET text = 'another' WHERE note_id = '${note.id}'`,
      `DELETE FROM notes WHERE note_id = '${note.id}'`,
      t.server.app.db.dialect.engine === 'sqlite'
        ? `INSERT OR REPLACE INTO notes (${columns}) SELECT ${replaced} FROM notes WHERE note_id = '${note.id}'`
        : `INSERT INTO notes (${columns}) SELECT ${columns} FROM notes WHERE note_id = '${note.id}'
           ON CONFLICT (org_id, session_id, kind, position) DO UPDATE SET text = 'another'`,
    ]
    for (const sql of sqls) await expect(change(sql)).rejects.toThrow('append-only')
    expect((await notes(id)).items).toEqual([note])
  })

  it('keep their text when the session is erased, and lose what they pointed at', async () => {
    const writer = await t.seat()
    const session = await t.live()
    const evidenceId = await t.deliver(session)
    await t.end(session)
    await t.addNote(writer, session.id, { text: 'Look here.', anchor: { evidenceId } })
    await annotate(session.id, { at: new Date(t.server.clock.now()).toISOString() })
    await t.api().call('sessions.erase', { params: { id: session.id } })
    expect((await notes(session.id)).items).toMatchObject([{ text: 'Look here.', anchor: null }])
    expect(await t.server.app.db.reader.all('SELECT * FROM note_anchors WHERE session_id = ?', [session.id])).toEqual(
      [],
    )
    for (const anchor of [{ evidenceId }, { atMs: 0 }])
      expect(await refusalOf(t.addNote(writer, session.id, { text: 'Here.', anchor }))).toMatchObject({ status: 400 })
    await t.addNote(writer, session.id, { text: 'What was here is gone.' })
  })
})
