import { stageProviders } from '@integrity/protocol'
import { describe, expect, it } from 'vitest'
import { theirApplicant } from '../../test-support/ats-double.ts'
import { theirCredentials } from '../../test-support/ats-systems.ts'
import { readOutbox } from '../../test-support/mail.ts'
import { refusalOf } from '../../test-support/refusal.ts'
import { asMember } from '../candidate-requests/candidate-requests.test-support.ts'
import { describeAts, hour, minute } from './ats.test-support.ts'

describeAts('applicant tracking by provider', (t) => {
  const { params, connect, syncs, send, newsOf, enter, sessionsOf, end } = t

  for (const provider of stageProviders)
    describe(provider, () => {
      it('makes a session of who enters a trigger stage, invites them, and tells of it beside them', async () => {
        const one = await connect(provider)
        const person = theirApplicant(t.double)
        await enter(one, person)
        const [session, ...others] = await sessionsOf(person, provider)
        expect([session?.candidateLabel, others.length]).toEqual(['Asha Verma', 0])
        expect(session?.provisionedBy).toEqual({ kind: 'ats', id: one.id, label: one.label })
        await t.server.processAll()
        const mails = await readOutbox(t.server)
        expect(mails.filter(({ to }) => to.includes(person.email ?? ''))).toHaveLength(1)
        expect(t.double.notes).toHaveLength(1)
        expect(t.double.notes[0]).toMatchObject({
          about: provider === 'lever' ? person.applicationId : person.candidateId,
        })
        expect(t.double.notes[0]?.text).toContain(`${t.server.app.config.baseUrl}/desk/interviews/${session?.id}`)
        await end(session?.id ?? '')
        await t.server.processAll()
        expect(t.double.notes.map(({ text }) => text)[1]).toMatch(/^The interview has ended: /)
        expect((await syncs(one.id)).items.map(({ direction, what, status }) => [direction, what, status])).toEqual([
          ['outbound', 'ended', 'done'],
          ['outbound', 'scheduled', 'done'],
          ['inbound', 'stage_change', 'done'],
        ])
        expect((await syncs(one.id, { direction: 'inbound', status: 'done' })).total).toBe(1)
      })

      it('answers what is not signed with the secret in force, or of somewhere else, alike', async () => {
        const one = await connect(provider)
        const person = theirApplicant(t.double)
        const good = newsOf(one, person)
        const tried = [
          newsOf(one, person, { secret: 'another' }),
          { ...good, headers: { 'content-type': 'application/json' } },
          ...(provider === 'lever'
            ? [newsOf(one, person, { now: t.server.clock.now() - 16 * 24 * hour }), { ...good, payload: '{"event":1}' }]
            : [{ ...good, payload: `${good.payload} ` }]),
          ...(provider === 'teamtailor' ? [newsOf(one, person, { now: t.server.clock.now() - 10 * minute })] : []),
        ]
        const unsigned = provider === 'lever' ? 1 : undefined
        for (const [n, wrong] of tried.entries()) if (n !== unsigned) expect(await send(one, wrong)).toBe(401)
        const nowhere = { ...one, id: 'ats_00000000000000000000000000' }
        expect(await send(nowhere, good)).toBe(401)
        expect(await send({ ...one, orgId: t.server.orgs[1].orgId }, good)).toBe(401)
        const { inboundSecret: secret } = await asMember(t.server, 'portal.ats.rotateSecret', {
          params: { ...params(), configId: one.id },
        })
        expect(await send(one, newsOf(one, person))).toBe(401)
        expect(await send(one, newsOf(one, person, { secret }))).toBe(200)
        await asMember(t.server, 'portal.ats.remove', { params: { ...params(), configId: one.id } })
        expect(await send(one, newsOf(one, person, { secret }))).toBe(401)
        await t.server.processAll()
        expect(await sessionsOf(person, provider)).toEqual([])
      })

      it('takes the same event once, however often and in how many at once it comes', async () => {
        const one = await connect(provider)
        const person = theirApplicant(t.double)
        const news = newsOf(one, person, { event: `evt-${t.engine}-${provider}` })
        expect(await Promise.all([1, 2, 3, 4].map(() => send(one, news)))).toEqual([200, 200, 200, 200])
        await t.server.processAll()
        expect(await send(one, news)).toBe(200)
        await t.server.processAll()
        expect([
          (await syncs(one.id, { direction: 'inbound' })).total,
          (await sessionsOf(person, provider)).length,
        ]).toEqual([1, 1])
      })

      it('is asked for something small by a test, which says what is wrong in words', async () => {
        const ask = (configId: string) => asMember(t.server, 'portal.ats.test', { params: { ...params(), configId } })
        const one = await connect(provider)
        expect(await ask(one.id)).toEqual({ ok: true, problem: null })
        expect(t.double.notes).toEqual([])
        const wrong = Object.fromEntries(
          Object.entries(theirCredentials[provider]).map(([name, value]) => [
            name,
            name === 'userId' ? value : 'wrong',
          ]),
        )
        expect(await refusalOf(connect(provider, {}, wrong))).toMatchObject({
          status: 409,
          extra: { reason: 'provider_refused' },
          message: expect.stringMatching(/does not take the credentials/),
        })
        t.double.fault = () => 'cut'
        expect(await ask(one.id)).toMatchObject({ ok: false, problem: expect.stringMatching(/cannot be reached/) })
      })

      it('is told again of what failed, and what had arrived stands there once', async () => {
        const one = await connect(provider, { push: ['scheduled'], invite: false })
        const person = theirApplicant(t.double)
        let lost = 0
        t.double.fault = ({ path, method }) => {
          const writes = /createNote$/.test(path) || (method === 'POST' && /\/notes$/.test(path))
          if (!writes || lost === 2) return undefined
          lost += 1
          return lost === 1 ? { status: 503 } : 'after'
        }
        await enter(one, person)
        await t.server.processAll()
        const [first] = (await syncs(one.id, { direction: 'outbound' })).items
        expect(first).toMatchObject({
          status: 'pending',
          attempts: 1,
          problem: expect.stringMatching(/trouble \(503\)/),
        })
        t.server.clock.advance(11_000)
        await t.server.processAll()
        t.server.clock.advance(61_000)
        await t.server.processAll()
        expect((await syncs(one.id, { direction: 'outbound' })).items[0]).toMatchObject({
          status: 'done',
          attempts: 3,
        })
        expect(t.double.notes).toHaveLength(1)
      })
    })
})
