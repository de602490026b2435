import ICAL from 'ical.js'
import nodeIcal from 'node-ical'
import type { Email } from 'postal-mime'
import { expect, it } from 'vitest'
import { describeInvitations, type InvitationBench, tokenIn } from '../../test-support/invitation-bench.ts'
import { inDays } from '../../test-support/invitations.ts'
import { parseOutbox } from '../../test-support/mail.ts'
import { addMember, portalCookie } from '../../test-support/portal.ts'
import { seatOf } from '../../test-support/sign-ins.ts'

/** The parts of a message that a calendar takes, as text. */
const calendarsOf = ({ attachments }: Email): { method: string; text: string; mimeType: string }[] =>
  attachments
    .filter(({ mimeType }) => /calendar|ics/.test(mimeType))
    .map(({ content, method = '', mimeType }) => ({
      method,
      mimeType,
      text: typeof content === 'string' ? content : Buffer.from(content as ArrayBuffer).toString('utf8'),
    }))

/** What ical.js, which Thunderbird is built on, makes of it. */
const byIcalJs = (text: string) => {
  const calendar = new ICAL.Component(ICAL.parse(text) as unknown[])
  const events = calendar.getAllSubcomponents('vevent')
  expect(events).toHaveLength(1)
  const component = events[0]
  if (!component) throw new Error('no event')
  const event = new ICAL.Event(component)
  return {
    method: calendar.getFirstPropertyValue('method'),
    uid: event.uid,
    sequence: event.sequence,
    status: component.getFirstPropertyValue('status'),
    summary: event.summary,
    description: event.description,
    start: event.startDate.toJSDate().toISOString(),
    minutes: event.duration.toSeconds() / 60,
    organizer: [
      component.getFirstProperty('organizer')?.getParameter('cn'),
      event.organizer,
      component.getFirstProperty('organizer')?.getParameter('sent-by'),
    ],
    attendees: event.attendees.map((attendee) => [attendee.getParameter('cn'), attendee.getFirstValue()]),
  }
}

/** What node-ical makes of it. */
const byNodeIcal = (text: string) => {
  const found = nodeIcal.sync.parseICS(text)
  const events = Object.values(found).filter((part) => part?.type === 'VEVENT')
  expect(events).toHaveLength(1)
  const [event] = events
  if (event?.type !== 'VEVENT') throw new Error('no event')
  return {
    uid: event.uid,
    sequence: Number(event.sequence),
    status: event.status,
    start: event.start.toISOString(),
    minutes: (Number(event.end) - Number(event.start)) / 60_000,
    organizer: event.organizer,
  }
}

const newestMail = async (t: InvitationBench, sessionId: string): Promise<Email> => {
  await t.server.processAll()
  const mail = (await parseOutbox(t.server)).filter(({ text }) => text?.includes(sessionId)).at(-1)
  if (!mail) throw new Error(`no message about ${sessionId}`)
  return mail
}

const read = async (t: InvitationBench, sessionId: string) => {
  const mail = await newestMail(t, sessionId)
  const calendars = calendarsOf(mail)
  // Once as what the message also is, for programs that show it there, and once as a file to open.
  expect(calendars.map(({ mimeType }) => mimeType)).toEqual(['text/calendar', 'application/ics'])
  const [part, file] = calendars
  expect(file?.text).toBe(part?.text)
  const text = part?.text ?? ''
  return { mail, text, method: part?.method, one: byIcalJs(text), other: byNodeIcal(text) }
}

describeInvitations('the appointment in a message to the candidate', (t) => {
  it('is a request that two readers of calendars understand, moves with its sequence, and is cancelled at last', async () => {
    const first = inDays(t.server, 3)
    const sessionId = await t.session({ schedule: first })
    await t.invite(sessionId, { message: 'See you.' })
    const invited = await read(t, sessionId)
    const uid = `${sessionId}@127.0.0.1`
    const times = ({ startsAt, durationMinutes }: typeof first) => ({ start: startsAt, minutes: durationMinutes })
    expect(invited.method).toBe('REQUEST')
    expect(invited.one).toMatchObject({ method: 'REQUEST', uid, sequence: 0, status: 'CONFIRMED', ...times(first) })
    expect(invited.other).toMatchObject({ uid, sequence: 0, status: 'CONFIRMED', ...times(first) })
    expect(invited.one.attendees).toEqual([['Asha Rao', 'mailto:candidate@example.org']])
    // Calendars are shared more often than messages are.
    expect(invited.text.replaceAll('\r\n ', '')).not.toMatch(/ivt_|invitation\//)
    expect(invited.one.description).toContain('is in the message that this came with')

    const moved = { ...inDays(t.server, 6), durationMinutes: 45 }
    await t.set(sessionId, moved)
    const again = await read(t, sessionId)
    expect(again.one).toMatchObject({ method: 'REQUEST', uid, sequence: 1, ...times(moved) })
    expect(again.other).toMatchObject({ uid, sequence: 1, ...times(moved) })

    await t.cancel(sessionId)
    const off = await read(t, sessionId)
    expect(off.method).toBe('CANCEL')
    expect(off.one).toMatchObject({ method: 'CANCEL', uid, sequence: 2, status: 'CANCELLED', ...times(moved) })
    expect(off.other).toMatchObject({ uid, sequence: 2, status: 'CANCELLED', ...times(moved) })

    await t.set(sessionId, first)
    expect((await read(t, sessionId)).one).toMatchObject({ method: 'REQUEST', uid, sequence: 3, status: 'CONFIRMED' })
  })

  it('is organized by who invited, also when it is moved or cancelled after they left, and the service sends it for them', async () => {
    const { orgId } = t.server.orgs[0]
    const inviter = await addMember(t.server, 'interviewer')
    const sessionId = await t.session({ schedule: inDays(t.server, 3) })
    await t.server.client().call('portal.invitations.create', {
      params: { orgId, id: sessionId },
      headers: await seatOf(t.server, inviter.userId),
      body: { email: 'candidate@example.org', name: 'Asha Rao' },
    })
    const rename = (name: string | null) =>
      t.server.app.db.transact((tx) => tx.run('UPDATE users SET name = ? WHERE user_id = ?', [name, inviter.userId]))
    const address = `mailto:${inviter.email}`
    const expectOf = ({ mail, one, other }: Awaited<ReturnType<typeof read>>, name: string) => {
      expect(one.organizer).toEqual([name, address, 'mailto:service@localhost'])
      expect(other.organizer).toMatchObject({ val: address })
      // DMARC looks at the sender, which is the service's own.
      expect(mail.from?.address).toBe('service@localhost')
    }
    const invited = await read(t, sessionId)
    expectOf(invited, inviter.email)
    expect(invited.mail.replyTo).toEqual([{ name: '', address: inviter.email }])

    await rename('Meera Nair')
    await t.set(sessionId, inDays(t.server, 6))
    expectOf(await read(t, sessionId), 'Meera Nair')

    await t.server.app.db.transact((tx) =>
      tx.run('UPDATE memberships SET active = 0 WHERE user_id = ?', [inviter.userId]),
    )
    await t.cancel(sessionId)
    const off = await read(t, sessionId)
    expect(off.method).toBe('CANCEL')
    expectOf(off, 'Meera Nair')
    // Letters of theirs are nobody's any more.
    expect(off.mail.replyTo).toBeUndefined()
  })

  it('is organized by the organisation where a program invited', async () => {
    const sessionId = await t.session({ schedule: inDays(t.server, 3) })
    const { id } = await t.invite(sessionId)
    const byProgram = "UPDATE invitations SET invited_kind = 'ats', invited_id = 'ats_1' WHERE invitation_id = ?"
    await t.server.app.db.transact((tx) => tx.run(byProgram, [id]))
    const { one } = await read(t, sessionId)
    expect(one.organizer).toEqual([expect.stringMatching(/^Org \d+$/), 'mailto:service@localhost', undefined])
  })

  it('is taken out of the calendar by the same organizer when the invitation is withdrawn, and an answer reaches them', async () => {
    const sessionId = await t.session({ schedule: inDays(t.server, 3) })
    const { id } = await t.invite(sessionId)
    const { one: invited, mail } = await read(t, sessionId)
    await t.revoke(sessionId, id)
    await t.server.processAll()
    const last = (await parseOutbox(t.server)).at(-1)
    const text = last && calendarsOf(last)[0]?.text
    const off = byIcalJs(text ?? '')
    expect([off.method, off.uid]).toEqual(['CANCEL', invited.uid])
    expect(off.organizer).toEqual(invited.organizer)
    expect(off.organizer[1]).not.toBe('mailto:service@localhost')
    expect(mail.replyTo).toHaveLength(1)
    expect(last?.replyTo).toEqual(mail.replyTo)
  })

  it('is not there while no time was set', async () => {
    const sessionId = await t.session({})
    await t.invite(sessionId)
    expect(calendarsOf(await newestMail(t, sessionId))).toEqual([])
  })

  it('is in Hindi where the message is, and says who invites in both forms of it', async () => {
    const sessionId = await t.session()
    const { invitedBy } = await t.invite(sessionId, { locale: 'hi' })
    await t.server.app.db.transact((tx) =>
      tx.run('UPDATE users SET name = ? WHERE user_id = ?', ['Meera Nair', invitedBy.id]),
    )
    const { mail, one } = await read(t, sessionId)
    expect(one.summary).toMatch(/^Org \d+ के साथ साक्षात्कार$/)
    expect(mail.text).toContain('निमंत्रण देने वाले: Meera Nair')
    expect(mail.html).toContain('निमंत्रण देने वाले: Meera Nair')
    await t.server.app.db.transact((tx) => tx.run('UPDATE users SET name = NULL WHERE user_id = ?', [invitedBy.id]))
  })

  it('and its message are what they are whatever the organisation and the candidate are called', async () => {
    const { orgId } = t.server.orgs[0]
    const own = (await parseOutbox(t.server)).at(-1)?.from?.name ?? ''
    const headers = await portalCookie(t.server)
    for (const [displayName, name] of [
      ['A "quoted", <b>odd</b>; name: x@y', 'Asha; "A", \\ Rao: x@y'],
      ['👩‍👩‍👧‍👦'.repeat(5), '😀'.repeat(40)],
      ['ह'.repeat(60), 'ä'.repeat(200)],
    ] as const) {
      await t.server.client().call('portal.branding.set', { headers, params: { orgId }, body: { displayName } })
      const sessionId = await t.session()
      await t.invite(sessionId, { name })
      const { mail, one } = await read(t, sessionId)
      expect(mail.from?.address).toBe('service@localhost')
      expect(mail.from?.name).not.toMatch(/[<>@"]/)
      expect(mail.to).toEqual([{ name: '', address: 'candidate@example.org' }])
      expect([mail.cc, mail.bcc]).toEqual([undefined, undefined])
      expect(one.attendees).toEqual([[name.replaceAll('"', "'"), 'mailto:candidate@example.org']])
      expect(one.summary).toContain(displayName.replace(' x@y', ''))
      expect(tokenIn({ text: mail.text ?? '' } as Parameters<typeof tokenIn>[0])).not.toBe('')
    }
    expect(own).toMatch(/^Org \d+/)
  })
})
