import { type StageProvider, stageProviders } from '@integrity/protocol'
import { describe, expect, it } from 'vitest'
import { type AskedOfAts, theirApplicant } from '../../test-support/ats-double.ts'
import { grown, without } from '../../test-support/ats-systems.ts'
import { asMember } from '../candidate-requests/candidate-requests.test-support.ts'
import { describeAts, minute } from './ats.test-support.ts'

const writes = ({ method, path }: AskedOfAts): boolean =>
  /createNote$/.test(path) || (method === 'POST' && /\/notes$/.test(path))

/** What a system says with 429, and how long it is then left alone at least. */
const overrun: Readonly<Record<StageProvider, { headers: (now: number) => Record<string, string>; seconds: number }>> =
  {
    greenhouse: { headers: () => ({ 'retry-after': '27', 'x-ratelimit-reset': '1' }), seconds: 27 },
    // They say nothing: the usual wait of a first attempt.
    lever: { headers: () => ({}), seconds: 10 },
    ashby: { headers: (now) => ({ 'retry-after': new Date(now + 45_000).toUTCString() }), seconds: 44 },
    teamtailor: { headers: () => ({ 'x-rate-limit-limit': '50', 'x-rate-limit-reset': '33' }), seconds: 33 },
  }

/** Of what a system answers: where each thing stands without which nothing can be made. */
const needed: Readonly<Record<StageProvider, readonly { path: RegExp; field: string }[]>> = {
  greenhouse: [{ path: /\/applications$/, field: '0.candidate_id' }],
  lever: [{ path: /\/opportunities\//, field: 'data.id' }],
  ashby: ['id', 'candidate', 'candidate.id'].map((name) => ({ path: /application\.info$/, field: `results.${name}` })),
  teamtailor: [{ path: /job-applications/, field: 'data.relationships.candidate' }],
}

/** Of the message that somebody entered a stage. */
const told: Readonly<Record<StageProvider, readonly string[]>> = {
  greenhouse: [
    'payload.application',
    'payload.application.id',
    'payload.application.candidate',
    'payload.application.candidate.id',
  ],
  lever: ['data.opportunityId'],
  ashby: ['data.application', 'data.application.id', 'data.application.candidate', 'data.application.candidate.id'],
  teamtailor: ['payload.data', 'payload.data.id'],
}

describeAts('what really happens at an applicant tracking system', (t) => {
  const { params, connect, list, syncs, replay, send, newsOf, enter, sessionsOf } = t
  const outbound = async (id: string) => (await syncs(id, { direction: 'outbound' })).items[0]
  const inbound = async (id: string) => (await syncs(id, { direction: 'inbound' })).items[0]
  const noted = { push: ['scheduled'], invite: false }
  /** Somebody has entered a stage, and the note of it is on its way. */
  const entered = async (provider: StageProvider) => {
    const one = await connect(provider, noted)
    const person = theirApplicant(t.double)
    await enter(one, person)
    await t.server.processAll()
    return { one, person, about: provider === 'lever' ? person.applicationId : person.candidateId }
  }

  for (const provider of stageProviders)
    describe(provider, () => {
      it('is told nothing more with an access that has ended, and everything once it is renewed', async () => {
        t.double.fault = (asked) => (writes(asked) ? { status: 401 } : undefined)
        const { one } = await entered(provider)
        expect(await outbound(one.id)).toMatchObject({
          status: 'failed',
          attempts: 1,
          problem: expect.stringMatching(/does not take the credentials/),
        })
        expect((await list())[0]).toMatchObject({ status: 'broken' })
        // Where tokens end, a new one was asked for, once.
        expect(t.double.asked.filter(writes)).toHaveLength(provider === 'greenhouse' ? 2 : 1)
        t.double.fault = undefined
        t.double.tokens.clear()
        const failed = await outbound(one.id)
        await replay(one.id, failed?.id ?? '')
        await t.server.processAll()
        expect(t.double.notes).toHaveLength(1)
      })

      it('is left alone for as long as it asks when there were too many', async () => {
        const { headers, seconds } = overrun[provider]
        t.double.fault = (asked) =>
          writes(asked) ? { status: 429, headers: headers(Math.floor(Date.now() / 1000) * 1000) } : undefined
        const { one } = await entered(provider)
        expect(await outbound(one.id)).toMatchObject({
          status: 'pending',
          attempts: 1,
          problem: expect.stringMatching(/asks for fewer/),
        })
        t.double.fault = undefined
        t.server.clock.advance((seconds - 1) * 1000)
        await t.server.processAll()
        expect(t.double.notes).toHaveLength(0)
        t.server.clock.advance(5000)
        await t.server.processAll()
        expect(t.double.notes).toHaveLength(1)
      })

      for (const [words, fault] of [
        ['is in trouble', { status: 502, body: '<html>Bad gateway</html>' }],
        ['cannot be reached', 'cut'],
      ] as const)
        it(`is asked again when it ${words}, and the note stands there once`, async () => {
          let left = 2
          t.double.fault = (asked) => (asked.system !== 'auth' && left-- > 0 ? fault : undefined)
          const { one, person } = await entered(provider)
          const problems = (await syncs(one.id)).items.map(({ problem }) => problem)
          expect(problems).toContainEqual(expect.stringContaining(words))
          for (let n = 0; n < 3; n += 1) {
            t.server.clock.advance(2 * minute)
            await t.server.processAll()
          }
          expect([(await sessionsOf(person, provider)).length, t.double.notes.length]).toEqual([1, 1])
        })

      it('is looked through to the last page for a note whose answer was lost', async () => {
        let lost = false
        const one = await connect(provider, noted)
        const person = theirApplicant(t.double)
        const about = provider === 'lever' ? person.applicationId : person.candidateId
        for (let n = 0; n < 7; n += 1) t.double.notes.push({ system: provider, about, text: `note ${n}` })
        t.double.fault = (asked) => {
          if (!writes(asked) || lost) return undefined
          lost = true
          return 'after'
        }
        await enter(one, person)
        await t.server.processAll()
        t.server.clock.advance(minute)
        await t.server.processAll()
        expect(await outbound(one.id)).toMatchObject({ status: 'done', attempts: 2 })
        expect(t.double.notes).toHaveLength(8)
        // Two of them a page.
        const lists = t.double.asked.filter(({ path, method }) =>
          provider === 'ashby' ? /listNotes$/.test(path) : method === 'GET' && /\/notes$/.test(path),
        )
        expect(lists).toHaveLength(4)
      })

      it('may say more than it does today, in its answers and its messages', async () => {
        t.double.reshape = (_asked, body) => grown(body)
        const one = await connect(provider, noted)
        const person = theirApplicant(t.double)
        await enter(one, person, { reshape: grown })
        await t.server.processAll()
        const [session] = await sessionsOf(person, provider)
        expect([session?.candidateLabel, t.double.notes.length]).toEqual(['Asha Verma', 1])
        const tested = await asMember(t.server, 'portal.ats.test', { params: { ...params(), configId: one.id } })
        expect(tested).toEqual({ ok: true, problem: null })
      })

      it.each(needed[provider])(
        'that answers without $field is said to, by the name of what is missing',
        async (one) => {
          t.double.reshape = ({ path }, body) => (one.path.test(path) ? without(body, one.field) : body)
          const connected = await connect(provider, noted)
          const person = theirApplicant(t.double)
          const news = newsOf(connected, person)
          // As for a system whose messages say less than today: the application is asked for.
          const asks = provider === 'lever' || provider === 'teamtailor'
          if (asks) expect(await send(connected, news)).toBe(200)
          else await askedFor(connected, person.applicationId)
          await t.server.processAll()
          const last = one.field.split('.').at(-1)
          expect(await inbound(connected.id)).toMatchObject({
            status: 'failed',
            sessionId: null,
            problem: expect.stringMatching(new RegExp(`answers something else than its interface says: .*${last}`)),
          })
          expect(await sessionsOf(person, provider)).toEqual([])
        },
      )

      it.each(told[provider])('whose message lacks %s is said to have sent it, once', async (field) => {
        const one = await connect(provider, noted)
        const person = theirApplicant(t.double)
        const news = newsOf(one, person, { reshape: (message) => without(message, field), event: `lacks-${field}` })
        expect(await send(one, news)).toBe(200)
        expect(await send(one, news)).toBe(200)
        await t.server.processAll()
        const { items } = await syncs(one.id)
        expect(items).toMatchObject([
          {
            status: 'failed',
            what: 'stage_change',
            applicationId: null,
            attempts: 1,
            problem: expect.stringContaining(field.split('.').at(-1) ?? '') as string,
          },
        ])
        await expect(replay(one.id, items[0]?.id ?? '')).rejects.toMatchObject({ status: 409 })
      })
    })

  /** A message that was taken before its application was kept in it, as an older release has left it. */
  const askedFor = async ({ id }: { id: string }, applicationId: string): Promise<void> => {
    const { app, clock } = t.server
    const syncId = app.newId('syn')
    const { orgId } = params()
    await app.db.transact(async (tx) => {
      await tx.run(
        `INSERT INTO ats_syncs (org_id, sync_id, config_id, direction, what, status, application_id, attempts,
           next_attempt_at, ref, created_at) VALUES (?, ?, ?, 'inbound', 'stage_change', 'failed', ?, 1, ?, ?, ?)`,
        [orgId, syncId, id, applicationId, clock.now(), syncId, clock.now() - 1],
      )
    })
    await replay(id, syncId)
  }
})
