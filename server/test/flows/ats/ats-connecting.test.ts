import { stageProviders } from '@integrity/protocol'
import { describe, expect, it } from 'vitest'
import { theirApplicant } from '../../test-support/ats-double.ts'
import { theirCredentials } from '../../test-support/ats-systems.ts'
import { refusalOf } from '../../test-support/refusal.ts'
import { asMember } from '../candidate-requests/candidate-requests.test-support.ts'
import { describeAts } from './ats.test-support.ts'

describeAts('credentials of an applicant tracking system', (t) => {
  const { connect, change, list, params } = t
  const test = (configId: string) => asMember(t.server, 'portal.ats.test', { params: { ...params(), configId } })

  for (const provider of stageProviders)
    it(`of ${provider} are tried before they are kept`, async () => {
      t.double.fault = () => ({ status: 401 })
      expect(await refusalOf(connect(provider))).toMatchObject({
        status: 409,
        extra: { reason: 'provider_refused' },
        message: expect.stringContaining('does not take the credentials'),
      })
      expect(await list()).toEqual([])
    })

  it('that cannot be tried are kept, and it is said why', async () => {
    t.double.fault = () => 'cut'
    const one = await connect('ashby')
    expect(one).toMatchObject({
      status: 'connected',
      problem: expect.stringMatching(/^Ashby cannot be reached: .+/),
    })
    t.double.fault = undefined
    expect(await test(one.id)).toEqual({ ok: true, problem: null })
    expect(await list()).toMatchObject([{ status: 'connected', problem: null }])
  })

  it('are not replaced by such as are not taken', async () => {
    const one = await connect('ashby')
    expect(await refusalOf(change(one.id, { credentials: { apiKey: 'wrong-key-0' } }))).toMatchObject({ status: 409 })
    expect(await test(one.id)).toEqual({ ok: true, problem: null })
    expect(await change(one.id, { credentials: theirCredentials.ashby, label: 'Anew' })).toMatchObject({
      label: 'Anew',
    })
  })

  it('a test keeps what it saw: an end, a missing right, and that all is well again', async () => {
    const one = await connect('ashby')
    t.double.fault = () => ({ status: 401 })
    const ended = await test(one.id)
    expect(ended).toMatchObject({ ok: false, problem: expect.stringContaining('does not take the credentials') })
    expect(await list()).toMatchObject([{ status: 'broken', problem: ended.problem }])
    t.double.fault = undefined
    expect(await test(one.id)).toEqual({ ok: true, problem: null })
    expect(await list()).toMatchObject([{ status: 'connected', problem: null }])
    t.double.fault = () => ({ status: 403 })
    const lacking = await test(one.id)
    expect(lacking).toMatchObject({ ok: false, problem: expect.stringContaining('a right is missing') })
    expect(await list()).toMatchObject([{ status: 'connected', problem: lacking.problem }])
  })

  it('a test wakes no connection that was paused, and neither do new ones', async () => {
    const one = await connect('lever')
    await change(one.id, { status: 'paused' })
    expect(await test(one.id)).toEqual({ ok: true, problem: null })
    expect(await list()).toMatchObject([{ status: 'paused', problem: null }])
    expect(await change(one.id, { credentials: theirCredentials.lever })).toMatchObject({ status: 'paused' })
  })

  it('are gone with the connection, which is only read from then on', async () => {
    const one = await connect('lever')
    const place = { params: { ...params(), configId: one.id } }
    await asMember(t.server, 'portal.ats.remove', place)
    expect(await list()).toEqual([])
    const kept = 'SELECT wrapped_credentials AS c, wrapped_secret AS s FROM ats_connections WHERE config_id = ?'
    expect(await t.server.app.db.reader.all(kept, [one.id])).toEqual([{ c: null, s: null }])
    for (const id of ['portal.ats.test', 'portal.ats.remove', 'portal.ats.rotateSecret'] as const)
      expect(await refusalOf(asMember(t.server, id, place)), id).toMatchObject({ status: 404 })
    expect(await refusalOf(change(one.id, { label: 'Anew' }))).toMatchObject({ status: 404 })
    expect(await t.syncs(one.id)).toMatchObject({ items: [] })
  })

  it('what is wrong is forgotten once something was written there', async () => {
    t.double.fault = () => 'cut'
    const one = await connect('lever', { push: ['scheduled'], invite: false })
    expect(one.problem).not.toBeNull()
    t.double.fault = undefined
    await t.enter(one, theirApplicant(t.double))
    await t.server.processAll()
    expect(t.double.notes).toHaveLength(1)
    expect(await list()).toMatchObject([{ status: 'connected', problem: null }])
  })

  describe('of Ashby', () => {
    const refusing = (body: object) => {
      t.double.fault = () => ({ status: 200, body: JSON.stringify({ success: false, ...body }) })
    }
    it.each([
      [
        { errorInfo: { code: 'missing_endpoint_permission', message: 'no' } },
        /a right is missing \(missing_endpoint_permission\)/,
      ],
      [
        { errors: ['candidate_not_found'], errorInfo: { code: 'candidate_not_found', requestId: '1' } },
        /has no such .*\(candidate_not_found\)/,
      ],
      [{ errors: ['invalid_input'], results: null }, /refuses it \(invalid_input\)/],
      [{ errors: [{ message: 'Some words with a secret' }] }, /^Ashby refuses it \(it gives no code\)$/],
      [{ errors: [{ code: 'field_locked', message: 'x' }] }, /refuses it \(field_locked\)/],
      [{ errorInfo: { code: 'rate_limit_exceeded' } }, /asks for fewer messages/],
      [{ errorInfo: { code: 'internal_server_error' } }, /is in trouble/],
    ])('%j is read as its makers write it', async (body, words) => {
      const one = await connect('ashby')
      refusing(body)
      expect(await test(one.id)).toMatchObject({ ok: false, problem: expect.stringMatching(words) })
    })

    it('a refusal that passes is tried again', async () => {
      const one = await connect('ashby', { push: ['scheduled'], invite: false })
      let left = 1
      t.double.fault = ({ path }) =>
        path === '/candidate.createNote' && left-- > 0
          ? { status: 200, body: JSON.stringify({ success: false, errorInfo: { code: 'rate_limit_exceeded' } }) }
          : undefined
      await t.enter(one, theirApplicant(t.double))
      await t.server.processAll()
      expect((await t.syncs(one.id, { direction: 'outbound' })).items[0]).toMatchObject({ status: 'pending' })
      t.server.clock.advance(11_000)
      await t.server.processAll()
      expect(t.double.notes).toHaveLength(1)
    })
  })

  describe.each([
    ['greenhouse', 404],
    ['greenhouse', 410],
    ['ashby', 200],
    ['teamtailor', 404],
  ] as const)('a candidate of %s who was merged with another one (%i)', (provider, status) => {
    it('has the note beside who they are now, the first time and the next', async () => {
      const one = await connect(provider, { push: ['scheduled', 'ended'], invite: false })
      const person = theirApplicant(t.double)
      const before = person.candidateId
      const now = '99'
      const isOld = (body: string) => body.includes(before)
      const gone = { success: false, errorInfo: { code: 'candidate_not_found' } }
      t.double.fault = ({ method, path, body }) =>
        method === 'POST' && /notes$|createNote$/i.test(path) && isOld(body)
          ? { status, body: JSON.stringify(gone) }
          : undefined
      expect(await t.send(one, t.newsOf(one, person))).toBe(200)
      t.double.people.set(person.applicationId, { ...person, candidateId: now })
      await t.server.processAll()
      const [session] = await t.sessionsOf(person, provider)
      expect(t.double.notes.map(({ about }) => about)).toEqual([now])
      await t.begin(session?.id ?? '')
      await t.end(session?.id ?? '')
      await t.server.processAll()
      expect(t.double.notes.map(({ about }) => about)).toEqual([now, now])
      expect(await t.server.app.db.reader.all('SELECT candidate_id AS id FROM ats_sessions')).toEqual([{ id: now }])
    })
  })

  it('a candidate who is gone altogether is said to be', async () => {
    const one = await connect('greenhouse', { push: ['scheduled'], invite: false })
    const person = theirApplicant(t.double)
    t.double.fault = ({ method, path }) => (method === 'POST' && /notes$/.test(path) ? { status: 404 } : undefined)
    await t.enter(one, person)
    await t.server.processAll()
    expect((await t.syncs(one.id, { direction: 'outbound' })).items[0]).toMatchObject({
      status: 'failed',
      problem: 'Greenhouse has no such candidate or application, or hides it',
    })
  })
})
