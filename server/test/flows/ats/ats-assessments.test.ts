import { expect, it } from 'vitest'
import { describeAssessments } from './assessments.test-support.ts'
import { hour, minute } from './ats.test-support.ts'

describeAssessments('Greenhouse as an assessment partner', (t) => {
  it('is told the policies as tests, and of an organisation without any the usual interview', async () => {
    const { call } = await t.connect()
    expect((await call('GET', 'list-tests')).body).toEqual([
      { partner_test_id: 'usual', partner_test_name: expect.any(String) },
    ])
    const id = await t.policy('Backend')
    expect((await call('GET', 'list-tests')).body).toEqual([{ partner_test_id: id, partner_test_name: 'Backend' }])
  })

  it('has a session made and the candidate invited, once for an application and a test', async () => {
    const { call } = await t.connect()
    const testId = await t.policy('Backend')
    const wanted = t.wanted({ partner_test_id: testId })
    const [first, second] = await Promise.all([call('POST', 'send-test', wanted), call('POST', 'send-test', wanted)])
    const id = first.body.partner_interview_id
    expect([first.status, second.status, second.body.partner_interview_id]).toEqual([200, 200, id])
    expect(await t.session(id)).toMatchObject({ candidateLabel: 'Asha Verma', policy: { id: testId } })
    expect(await t.invitedTo(id)).toEqual([wanted.candidate.email])
    const other = await call('POST', 'send-test', { ...wanted, partner_test_id: 'usual' })
    expect(other.body.partner_interview_id).not.toBe(id)
  })

  it('reads status and link, and is asked to read again when the interview has ended', async () => {
    const { call, key } = await t.connect()
    const wanted = t.wanted()
    const id = (await call('POST', 'send-test', wanted)).body.partner_interview_id
    expect((await t.status(call, id)).body).toEqual({ partner_status: 'invited', metadata: {} })
    await t.begin(id)
    expect((await t.status(call, id)).body).toEqual({ partner_status: 'in_progress', metadata: {} })
    await t.end(id)
    await t.server.processAll()
    expect(t.patched()).toEqual([{ path: new URL(wanted.url).pathname, key, body: '' }])
    expect((await t.status(call, id)).body).toEqual({
      partner_status: 'complete',
      partner_profile_url: `${t.server.app.config.baseUrl}/desk/interviews/${id}`,
      metadata: { interview_ended_at: expect.any(String) },
    })
  })

  it('is told of the address that came last, and asked again until it answers', async () => {
    const { call, id: connectionId } = await t.connect()
    const id = (await call('POST', 'send-test', t.wanted())).body.partner_interview_id
    const moved = t.wanted({ url: `${t.peer.url}/moved` }, 'same')
    expect((await call('POST', 'send-test', moved)).body.partner_interview_id).toBe(id)
    t.peer.status = 503
    await t.begin(id)
    await t.end(id)
    await t.server.processAll()
    const waiting = (await t.log(connectionId)).find(({ what }) => what === 'ended')
    expect(waiting).toMatchObject({ status: 'pending', attempts: 1, problem: 'Greenhouse is in trouble (503)' })
    t.peer.status = 200
    t.server.clock.advance(hour)
    await t.server.processAll()
    expect(t.patched().map(({ path }) => path)).toEqual(['/moved', '/moved'])
    expect((await t.log(connectionId)).find(({ what }) => what === 'ended')).toMatchObject({ status: 'done' })
  })

  it('waits for the signed report where the connection tells of reports alone', async () => {
    const { call } = await t.connect({ push: ['report'] })
    const id = (await call('POST', 'send-test', t.wanted())).body.partner_interview_id
    await t.begin(id)
    await t.end(id)
    await t.server.processAll()
    expect(t.patched()).toEqual([])
    expect((await t.status(call, id)).body).toMatchObject({ partner_status: 'in_review' })
  })

  it('says of an interview that ended before it began that it was not held', async () => {
    const { call } = await t.connect()
    const id = (await call('POST', 'send-test', t.wanted())).body.partner_interview_id
    await t.end(id)
    expect((await t.status(call, id)).body).toMatchObject({ partner_status: 'not_held' })
  })

  it('says which answer it could not use, in the log of the connection and without addresses', async () => {
    const { call, id: connectionId } = await t.connect()
    const fault = { api_call: 'test_status', errors: ['no link for jo@example.org'], candidate_email: 'jo@example.org' }
    expect((await call('POST', 'response-error', fault)).status).toBe(200)
    const [row] = await t.log(connectionId)
    const problem = 'Greenhouse could not use the answer to test_status: no link for …'
    expect(row).toMatchObject({ what: 'response_error', direction: 'inbound', status: 'failed', problem })
    await expect(t.replay(connectionId, row?.id ?? '')).rejects.toMatchObject({ code: 'conflict' })
  })

  it('knows nothing of a session that was erased', async () => {
    const { call } = await t.connect()
    const id = (await call('POST', 'send-test', t.wanted())).body.partner_interview_id
    await t.end(id)
    t.server.clock.advance(minute)
    await t.erase(id)
    expect((await t.status(call, id)).status).toBe(404)
    await t.server.processAll()
    expect(t.patched()).toEqual([])
    expect((await call('POST', 'send-test', t.wanted({}, 'same'))).body.partner_interview_id).not.toBe(id)
  })

  it('learns nothing of the tests of another connection, and none of them of another organisation', async () => {
    const ours = await t.connect()
    const theirs = await t.connect({}, 1)
    const id = (await ours.call('POST', 'send-test', t.wanted())).body.partner_interview_id
    const policy = await t.policy('Ours')
    for (const other of [theirs, await t.connect()]) expect((await t.status(other.call, id)).status).toBe(404)
    const answer = await theirs.call('POST', 'send-test', t.wanted({ partner_test_id: policy }))
    expect(answer).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } })
  })

  it('is refused with a wrong key, one that was rotated, and one that has ended', async () => {
    const one = await t.connect()
    expect((await t.callWith('asm_0123456789abcdefghijklmnopqrstuv')('GET', 'list-tests')).status).toBe(401)
    expect(one.key.length).toBeLessThan(171)
    const renewed = await t.rotate(one.id)
    expect((await one.call('GET', 'list-tests')).status).toBe(401)
    expect((await t.callWith(renewed)('GET', 'list-tests')).status).toBe(200)
    await t.disconnect(one.id)
    expect((await t.callWith(renewed)('GET', 'list-tests')).status).toBe(401)
  })

  it.each<[string, { candidate?: object | null; [name: string]: unknown }, number]>([
    ['an unknown test', { partner_test_id: 'pol_0' }, 404],
    ['an address that is none', { candidate: { email: 'nobody' } }, 400],
    [
      'a profile without an application',
      { candidate: { greenhouse_profile_url: 'https://app.greenhouse.io/people/1' } },
      400,
    ],
    ['an address to be told at that is not theirs', { url: 'https://greenhouse.io.example.org/x' }, 400],
    ['an address to be told at with credentials', { url: 'https://a:b@api.greenhouse.io/x' }, 400],
    ['no candidate', { candidate: null }, 400],
  ])('is refused with %s, and nothing is made', async (_, change, status) => {
    const { call } = await t.connect()
    const wanted = t.wanted()
    const before = (await t.sessionsOfAll()).length
    const candidate = change.candidate === null ? null : { ...wanted.candidate, ...change.candidate }
    expect((await call('POST', 'send-test', { ...wanted, ...change, candidate })).status).toBe(status)
    expect((await t.sessionsOfAll()).length).toBe(before)
  })

  it('is refused while the connection is paused, and told by the test of it whether it ever called', async () => {
    const { call, id } = await t.connect()
    expect(await t.test(id)).toMatchObject({ ok: false, problem: expect.stringContaining('has not called') })
    await call('GET', 'list-tests')
    await t.server.app.recentRequests.processAll()
    expect(await t.test(id)).toEqual({ ok: true, problem: null })
    await t.change(id, { status: 'paused' })
    expect((await call('POST', 'send-test', t.wanted())).status).toBe(409)
  })
})
