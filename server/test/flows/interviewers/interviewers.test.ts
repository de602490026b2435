import { expect, it } from 'vitest'
import { verifyAudit } from '../../../src/domains/recording/audit/audit.service.ts'
import { specOf } from '../../test-support/examples.ts'
import { describeInvitations, type InvitationBench } from '../../test-support/invitation-bench.ts'
import { inDays } from '../../test-support/invitations.ts'
import { parseOutbox, type ReadMail } from '../../test-support/mail.ts'
import { portalCookie } from '../../test-support/portal.ts'
import { send } from '../../test-support/send.ts'

const voice = "Your voice is recorded with the sound of the candidate's computer."

const of = async ({ server }: InvitationBench, id: string) => ({
  headers: await portalCookie(server),
  params: { orgId: server.orgs[0].orgId, id },
})
let addresses = 0
const tell = async (t: InvitationBench, sessionId: string, fields: object = {}) => {
  addresses += 1
  const body = { email: `interviewer-${addresses}@example.org`, name: 'Meera Nair', ...fields }
  const input = { ...(await of(t, sessionId)), body }
  return (await t.server.client().call('portal.interviewers.add', input)).data
}
const read = async (t: InvitationBench, sessionId: string) =>
  (await t.server.client().call('portal.interviewers.list', await of(t, sessionId))).data
const tokenOf = (mail: ReadMail | undefined): string => /#itv_\w+\.(itk_[\w-]+)/.exec(mail?.text ?? '')?.[1] ?? ''
const inspect = async (t: InvitationBench, token: string) =>
  (await t.server.client(token).call('interviewers.inspect', { body: {} })).data
const calendarIn = async (t: InvitationBench): Promise<string> => {
  const mail = (await parseOutbox(t.server)).at(-1)
  const part = mail?.attachments.find(({ mimeType }) => mimeType === 'text/calendar')
  const content = part?.content ?? ''
  const text = typeof content === 'string' ? content : Buffer.from(content as ArrayBuffer).toString('utf8')
  return text.replaceAll(/\r?\n /g, '')
}
const remove = async (t: InvitationBench, sessionId: string, interviewerId: string) => {
  const { headers, params } = await of(t, sessionId)
  const input = { headers, params: { ...params, interviewerId } }
  return (await t.server.client().call('portal.interviewers.remove', input)).data
}
const correct = async (t: InvitationBench, sessionId: string, interviewerId: string, body: object) => {
  const { headers, params } = await of(t, sessionId)
  const input = { headers, params: { ...params, interviewerId }, body }
  return (await t.server.client().call('portal.interviewers.correct', input)).data
}
const actionsOf = async (t: InvitationBench, target: string): Promise<string[]> => {
  const sql = 'SELECT action FROM audit_log WHERE org_id = ? AND target = ? ORDER BY seq'
  const rows = await t.server.app.db.reader.all<{ action: string }>(sql, [t.server.orgs[0].orgId, target])
  return rows.map(({ action }) => action)
}

describeInvitations('interviewers', (t) => {
  it('are told by mail and calendar in one sentence, with a link to their page, and the record says when by what', async () => {
    const sessionId = await t.session()
    expect(await read(t, sessionId)).toMatchObject({ interviewers: [], recorded: { voice: true, words: false } })
    const added = await tell(t, sessionId)
    expect(added).toMatchObject({ name: 'Meera Nair', delivery: 'queued', told: [] })
    const [mail] = await t.mails()
    expect(mail?.text).toContain(voice)
    expect(mail?.text).toContain(`${t.server.app.config.baseUrl}/interviewer/#${added.id}.itk_`)
    expect(mail?.text).not.toContain(sessionId)
    const calendar = await calendarIn(t)
    expect(calendar).toContain('METHOD:REQUEST')
    expect(calendar).toContain(voice)
    expect(calendar).toContain(`/interviewer/#${added.id}.itk_`)
    const [row] = (await read(t, sessionId)).interviewers
    expect(row?.delivery).toBe('sent')
    expect(row?.told.map(({ by }) => by)).toEqual(['mail', 'calendar'])
    expect(await actionsOf(t, added.id)).toEqual(['interviewer.added', 'interviewer.told'])
  })

  it('read on their page what is kept, and the first reading is in the record', async () => {
    const sessionId = await t.session({
      config: { retentionDays: 40, audio: { transcript: true } },
      schedule: inDays(t.server, 3),
    })
    const { id } = await tell(t, sessionId, { locale: 'hi-IN' })
    const [mail] = await t.mails()
    expect(mail?.text).toContain('आपकी आवाज़ उम्मीदवार के कंप्यूटर की ध्वनि के साथ रिकॉर्ड होती है')
    const facts = await inspect(t, tokenOf(mail))
    expect(facts).toMatchObject({
      name: 'Meera Nair',
      locale: 'hi',
      recorded: { voice: true, words: true, retentionDays: 40 },
      erasedAt: null,
    })
    expect(facts.appointment?.durationMinutes).toBe(60)
    await inspect(t, tokenOf(mail))
    const [row] = (await read(t, sessionId)).interviewers
    expect(row?.told.map(({ by }) => by)).toEqual(['mail', 'calendar', 'page'])
    const opened = ['interviewer.told', 'interviewer.page_opened']
    expect(await actionsOf(t, id)).toEqual(['interviewer.added', 'interviewer.told', ...opened])
  })

  it('hear of a moved appointment with a new link, of a cancelled one, and of an interview that ends before it began', async () => {
    const sessionId = await t.session()
    await tell(t, sessionId)
    const first = tokenOf((await t.mails())[0])
    await t.set(sessionId, inDays(t.server, 6))
    const [moved] = await t.mails()
    expect(moved?.text).toContain('has changed. This is the new one')
    expect(moved?.text).toContain(voice)
    await expect(inspect(t, first)).rejects.toMatchObject({ status: 401 })
    expect((await inspect(t, tokenOf(moved))).cancelledAt).toBeNull()
    await t.cancel(sessionId)
    const [cancelled] = await t.mails()
    expect(cancelled?.text).toContain('takes the appointment out of your calendar')
    expect(await calendarIn(t)).toContain('METHOD:CANCEL')
    await t.set(sessionId, inDays(t.server, 7))
    await t.mails()
    await t.server.client(t.server.orgs[0].liveKey).call('sessions.end', { params: { id: sessionId }, body: {} })
    await t.mails()
    expect(await calendarIn(t)).toContain('METHOD:CANCEL')
  })

  it('are told again at the same address in one row, and not after the interview', async () => {
    const sessionId = await t.session()
    const { id, email } = await tell(t, sessionId)
    await t.mails()
    expect((await tell(t, sessionId, { email: email.toUpperCase() })).id).toBe(id)
    expect(await t.mails()).toHaveLength(1)
    expect((await read(t, sessionId)).interviewers).toHaveLength(1)
    await t.server.client(t.server.orgs[0].liveKey).call('sessions.end', { params: { id: sessionId }, body: {} })
    await expect(tell(t, sessionId)).rejects.toMatchObject({ status: 409 })
  })

  it('are forgotten with an erasure, and their link says so', async () => {
    const sessionId = await t.session()
    await tell(t, sessionId)
    const token = tokenOf((await t.mails())[0])
    const api = t.server.client(t.server.orgs[0].liveKey)
    await api.call('sessions.end', { params: { id: sessionId }, body: {} })
    await api.call('sessions.erase', { params: { id: sessionId } })
    await t.server.processAll()
    expect((await read(t, sessionId)).interviewers).toEqual([])
    const facts = await inspect(t, token)
    expect(facts.name).toBeNull()
    expect(facts.erasedAt).not.toBeNull()
  })

  it('are taken off with a message that clears their calendar; their page says so, and a queued message is not sent', async () => {
    const sessionId = await t.session()
    const { id, email } = await tell(t, sessionId)
    const first = tokenOf((await t.mails())[0])
    const removed = await remove(t, sessionId, id)
    expect(await remove(t, sessionId, id)).toEqual(removed)
    expect((await read(t, sessionId)).interviewers).toEqual([])
    const [mail] = await t.mails()
    expect(mail?.text).toContain('has taken you off an online interview')
    expect(mail?.text).not.toContain(voice)
    expect(await calendarIn(t)).toContain('METHOD:CANCEL')
    await expect(inspect(t, first)).rejects.toMatchObject({ status: 401 })
    const page = await inspect(t, tokenOf(mail))
    expect(page).toMatchObject({ removedAt: removed.removedAt, appointment: null, cancelledAt: null })
    expect(await actionsOf(t, id)).toEqual([
      ...['interviewer.added', 'interviewer.told', 'interviewer.removed', 'interviewer.told'],
    ])
    await t.set(sessionId, inDays(t.server, 6))
    expect(await t.mails()).toEqual([])
    expect((await tell(t, sessionId, { email })).id).not.toBe(id)
    const { id: waiting } = await tell(t, sessionId)
    await remove(t, sessionId, waiting)
    expect(await t.mails()).toHaveLength(1)
  })

  it('are corrected without a message, and told anew at another address, where the earlier link has ended', async () => {
    const sessionId = await t.session()
    const { id } = await tell(t, sessionId)
    const { email: other } = await tell(t, sessionId)
    const first = tokenOf((await t.mails()).find(({ text }) => text.includes(id)))
    const named = await correct(t, sessionId, id, { name: 'Meera N. Nair', locale: 'hi' })
    expect(named).toMatchObject({ name: 'Meera N. Nair', locale: 'hi', delivery: 'sent' })
    expect(await t.mails()).toEqual([])
    expect(await inspect(t, first)).toMatchObject({ name: 'Meera N. Nair' })
    await expect(correct(t, sessionId, id, { email: other.toUpperCase() })).rejects.toMatchObject({ status: 409 })
    const moved = await correct(t, sessionId, id, { email: 'meera.elsewhere@example.org', name: null })
    expect(moved).toMatchObject({ id, name: null, told: [], delivery: 'queued' })
    await expect(inspect(t, first)).rejects.toMatchObject({ status: 401 })
    const [mail] = await t.mails()
    expect(JSON.stringify(mail?.to)).toContain('meera.elsewhere@example.org')
    expect((await read(t, sessionId)).interviewers[0]?.told.map(({ by }) => by)).toEqual(['mail', 'calendar'])
    expect((await actionsOf(t, id)).filter((action) => action === 'interviewer.corrected')).toHaveLength(2)
    const api = t.server.client(t.server.orgs[0].liveKey)
    await api.call('sessions.end', { params: { id: sessionId }, body: {} })
    await expect(correct(t, sessionId, id, { email: 'late@example.org' })).rejects.toMatchObject({ status: 409 })
    await expect(correct(t, await t.session(), id, { name: 'Of another' })).rejects.toMatchObject({ status: 404 })
    expect(await remove(t, sessionId, id)).toMatchObject({ id })
    expect((await verifyAudit(t.server.app, { orgId: t.server.orgs[0].orgId })).ok).toBe(true)
  })

  it('read a page that no browser keeps', async () => {
    const answer = await fetch(`${t.server.url}/interviewer/`)
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store'])
  })

  it('read the sentence in the calendar file of whoever conducts the interview, with the page that everybody may read', async () => {
    const sessionId = await t.session()
    const answer = await send(t.server.url, specOf('portal.scheduling.calendar'), await of(t, sessionId))
    const text = answer.text.replaceAll('\r\n ', '')
    expect(text).toContain(voice)
    expect(text).toMatch(/\/interviewer\/\\n/)
  })
})
