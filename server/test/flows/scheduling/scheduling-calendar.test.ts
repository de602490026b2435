import { describe, expect, it } from 'vitest'
import { specOf } from '../../test-support/examples.ts'
import { describeInvitations } from '../../test-support/invitation-bench.ts'
import { inDays } from '../../test-support/invitations.ts'
import { portalCookie } from '../../test-support/portal.ts'
import { failureOf, type RawAnswer, send } from '../../test-support/send.ts'

/** Content lines, unfolded, as a reader sees them. */
const linesOf = ({ text }: RawAnswer): string[] => text.replaceAll('\r\n ', '').split('\r\n')
const propertyOf = (answer: RawAnswer, name: string): string | undefined =>
  linesOf(answer)
    .find((line) => line.startsWith(`${name}:`))
    ?.slice(name.length + 1)
const compact = (iso: string): string => iso.replaceAll(/[-:]|\.\d+/g, '')

describeInvitations('the calendar file', (t) => {
  const ofTeam = async (id: string): Promise<RawAnswer> =>
    send(t.server.url, specOf('portal.scheduling.calendar'), {
      headers: await portalCookie(t.server),
      params: { orgId: t.server.orgs[0].orgId, id },
    })
  const ofCandidate = (token: string): Promise<RawAnswer> =>
    send(t.server.url, specOf('invitations.calendar'), { headers: { authorization: `Bearer ${token}` } })

  describe('portal.scheduling.calendar', () => {
    it('is a download with the appointment in UTC, without any link of the candidate', async () => {
      const { sessionId } = await t.invited()
      const schedule = inDays(t.server, 3)
      const answer = await ofTeam(sessionId)
      expect(answer.status).toBe(200)
      expect(answer.headers.get('content-type')).toBe('text/calendar; charset=utf-8; method=PUBLISH')
      expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="interview-${sessionId}.ics"`)
      expect(answer.headers.get('cache-control')).toBe('no-store')
      expect(propertyOf(answer, 'UID')).toBe(`${sessionId}@127.0.0.1`)
      expect(propertyOf(answer, 'DTSTART')).toBe(compact(schedule.startsAt))
      expect(propertyOf(answer, 'DURATION')).toBe('PT60M')
      expect(propertyOf(answer, 'STATUS')).toBe('CONFIRMED')
      expect(answer.text).not.toMatch(/ivt_|invitation\//)
    })

    it('grows its sequence with every change and takes a cancelled appointment out again, at its old time', async () => {
      const id = await t.session()
      expect(propertyOf(await ofTeam(id), 'SEQUENCE')).toBe('0')
      const moved = inDays(t.server, 6)
      await t.set(id, moved)
      await t.set(id, moved)
      expect(propertyOf(await ofTeam(id), 'SEQUENCE')).toBe('1')
      await t.cancel(id)
      const cancelled = await ofTeam(id)
      expect(cancelled.headers.get('content-type')).toContain('method=CANCEL')
      expect(propertyOf(cancelled, 'METHOD')).toBe('CANCEL')
      expect(propertyOf(cancelled, 'STATUS')).toBe('CANCELLED')
      expect(propertyOf(cancelled, 'SEQUENCE')).toBe('2')
      expect(propertyOf(cancelled, 'DTSTART')).toBe(compact(moved.startsAt))
      await t.set(id, inDays(t.server, 7))
      const again = await ofTeam(id)
      expect([propertyOf(again, 'STATUS'), propertyOf(again, 'SEQUENCE')]).toEqual(['CONFIRMED', '3'])
    })

    it('is refused where there never was an appointment', async () => {
      const answer = await ofTeam(await t.session({}))
      expect(answer.status).toBe(409)
      expect(failureOf(answer).error.message).toContain('no appointment')
    })

    it('is one event still when the label of the candidate means to be more', async () => {
      const id = await t.session({ candidateLabel: 'Rao, Asha; "x"', schedule: inDays(t.server, 3) })
      // Kept before labels had to be one line.
      const label = 'Rao, Asha; "x"\r\nEND:VEVENT\r\nBEGIN:VEVENT\r\nATTACH:file:///etc/passwd'
      await t.server.app.db.transact((tx) =>
        tx.run('UPDATE sessions SET candidate_label = ? WHERE session_id = ?', [label, id]),
      )
      const answer = await ofTeam(id)
      expect(linesOf(answer).filter((line) => /^(BEGIN|END|ATTACH)/.test(line))).toEqual([
        'BEGIN:VCALENDAR',
        'BEGIN:VEVENT',
        'END:VEVENT',
        'END:VCALENDAR',
      ])
      expect(propertyOf(answer, 'SUMMARY')).toContain('Rao\\, Asha\\; "x"\\nEND:VEVENT')
    })
  })

  describe('invitations.calendar', () => {
    it('is the same event with the link that was presented, in the language of the invitation', async () => {
      const { sessionId, token } = await t.invited({ locale: 'hi-IN' })
      const answer = await ofCandidate(token)
      expect(answer.status).toBe(200)
      expect(propertyOf(answer, 'UID')).toBe(propertyOf(await ofTeam(sessionId), 'UID'))
      const link = `${t.server.app.config.baseUrl}/invitation/#${sessionId}.${token}`
      expect(propertyOf(answer, 'URL')).toBe(link)
      expect(propertyOf(answer, 'DESCRIPTION')).toContain(link)
      expect(propertyOf(answer, 'SUMMARY')).toMatch(/के साथ साक्षात्कार$/)
      expect(answer.text).not.toContain('candidate@example.org')
    })

    it('takes a cancelled appointment out of the calendar', async () => {
      const { sessionId, token } = await t.invited()
      await t.cancel(sessionId)
      expect(propertyOf(await ofCandidate(token), 'METHOD')).toBe('CANCEL')
    })
  })
})
