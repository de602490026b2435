import type { Email } from 'postal-mime'
import { expect, it } from 'vitest'
import { describeInvitations, type InvitationBench, tokenIn } from '../../test-support/invitation-bench.ts'
import { inDays } from '../../test-support/invitations.ts'
import { parseOutbox, readOutbox } from '../../test-support/mail.ts'

const lineOf = (text: string, name: string): string =>
  new RegExp(`^${name}:(.*)$`, 'm').exec(text.replaceAll('\r\n ', ''))?.[1]?.trim() ?? ''

/** What the calendar of a message says; empty where it has none. */
const calendarIn = ({ attachments }: Email): string => {
  const content = attachments.find(({ mimeType }) => mimeType === 'text/calendar')?.content
  if (content === undefined) return ''
  return typeof content === 'string' ? content : Buffer.from(content as ArrayBuffer).toString('utf8')
}

/** Every message to somebody, oldest first: how its calendar is meant, of which appointment, and its number. */
const calendarsTo = async (t: InvitationBench, address: string) => {
  await t.server.processAll()
  return (await parseOutbox(t.server))
    .filter(({ to }) => to?.some((one) => one.address === address))
    .map(calendarIn)
    .map((text) => ({
      method: lineOf(text, 'METHOD'),
      uid: lineOf(text, 'UID'),
      sequence: Number(lineOf(text, 'SEQUENCE')),
    }))
}

describeInvitations('an appointment that somebody has in their calendar', (t) => {
  let made = 0
  const invited = async (more: object = {}) => {
    made += 1
    const email = `withdrawn${made}@example.org`
    const sessionId = await t.session({ schedule: inDays(t.server, 3), ...more })
    const invitation = await t.invite(sessionId, { email })
    const asked = await calendarsTo(t, email)
    return { sessionId, email, invitation, asked: asked.at(-1) }
  }
  const live = () => t.server.client(t.server.orgs[0].liveKey)

  const ends: Readonly<Record<string, (one: Awaited<ReturnType<typeof invited>>) => Promise<unknown>>> = {
    'the invitation is revoked': ({ sessionId, invitation }) => t.revoke(sessionId, invitation.id),
    'the session is ended': ({ sessionId }) => live().call('sessions.end', { params: { id: sessionId } }),
    'the session is erased': ({ sessionId }) => live().call('sessions.erase', { params: { id: sessionId } }),
    'the appointment is cancelled': ({ sessionId }) => t.cancel(sessionId),
    'the candidate declines': async ({ email }) => {
      const letter = (await readOutbox(t.server)).filter(({ to }) => to.includes(email)).at(-1)
      if (!letter) throw new Error('no letter')
      await t.server.client(tokenIn(letter)).call('invitations.decline')
    },
  }
  for (const [how, end] of Object.entries(ends))
    it(`is taken out of it, once, when ${how}`, async () => {
      const one = await invited()
      expect(one.asked).toMatchObject({ method: 'REQUEST', sequence: 0 })
      await end(one)
      const all = await calendarsTo(t, one.email)
      const told = all.filter(({ method }) => method === 'CANCEL')
      expect(told).toEqual([{ method: 'CANCEL', uid: one.asked?.uid, sequence: expect.any(Number) }])
      expect(told[0]?.sequence).toBeGreaterThan(one.asked?.sequence ?? 0)
      const kept = await t.server.app.db.reader.all(
        'SELECT calendar_asked, calendar_withdrawal FROM invitations WHERE session_id = ?',
        [one.sessionId],
      )
      expect(kept).toEqual([{ calendar_asked: null, calendar_withdrawal: null }])
    })

  it('is taken out where its cancellation has not been sent when the session is erased', async () => {
    const one = await invited()
    await t.cancel(one.sessionId)
    await live().call('sessions.erase', { params: { id: one.sessionId } })
    expect((await calendarsTo(t, one.email)).map(({ method }) => method)).toEqual(['REQUEST', 'CANCEL'])
  })

  it('comes with a higher number to whoever is invited again', async () => {
    const one = await invited()
    await t.revoke(one.sessionId, one.invitation.id)
    await t.invite(one.sessionId, { email: one.email })
    const sequences = (await calendarsTo(t, one.email)).map(({ method, sequence }) => [method, sequence] as const)
    expect(sequences.map(([method]) => method)).toEqual(['REQUEST', 'CANCEL', 'REQUEST'])
    const [asked = 0, off = 0, again = 0] = sequences.map(([, sequence]) => sequence)
    expect(asked < off && off < again).toBe(true)
  })

  it('stays where it has passed, or where there was none', async () => {
    const past = await invited()
    t.server.clock.advance(3 * 86_400_000 + 2 * 3_600_000)
    await live().call('sessions.end', { params: { id: past.sessionId } })
    expect((await calendarsTo(t, past.email)).map(({ method }) => method)).toEqual(['REQUEST'])
    const none = await invited({ schedule: undefined })
    await t.revoke(none.sessionId, none.invitation.id)
    expect((await calendarsTo(t, none.email)).map(({ method }) => method)).toEqual([''])
  })

  it('is not sent any more once the session has ended', async () => {
    made += 1
    const email = `withdrawn${made}@example.org`
    const sessionId = await t.session({ schedule: inDays(t.server, 3) })
    await t.invite(sessionId, { email })
    await live().call('sessions.end', { params: { id: sessionId } })
    expect(await calendarsTo(t, email)).toEqual([])
  })
})
