import { type StageProvider, stageProviders } from '@integrity/protocol'
import { describe, expect, it } from 'vitest'
import { theirApplicant } from '../../test-support/ats-double.ts'
import { without } from '../../test-support/ats-systems.ts'
import { readOutbox } from '../../test-support/mail.ts'
import { describeAts } from './ats.test-support.ts'

const day = 86_400_000

/** The same with another value in one place, by its path. */
const withValue = (value: unknown, path: string, given: unknown): unknown => {
  const copy = structuredClone(value) as Record<string, unknown>
  const keys = path.split('.')
  let at = copy
  for (const key of keys.slice(0, -1)) at = (at?.[key] ?? {}) as Record<string, unknown>
  at[keys.at(-1) ?? ''] = given
  return copy
}

/** Facts of a message that it may leave out, or say nothing with. */
const inMessages: Readonly<Partial<Record<StageProvider, readonly (readonly [string, unknown])[]>>> = {
  greenhouse: [
    ['payload.application.candidate.email_addresses', undefined],
    ['payload.application.candidate.email_addresses', null],
    ['payload.application.candidate.email_addresses', [{ value: null, type: 'personal' }]],
    ['payload.application.candidate.last_name', undefined],
    ['payload.application.candidate.first_name', null],
    ['payload.application.current_stage', undefined],
    ['payload.application.current_stage.id', null],
  ],
  ashby: [
    ['data.application.currentInterviewStage', undefined],
    ['data.application.candidate.name', undefined],
    ['data.application.candidate.primaryEmailAddress', { value: null }],
    ['data.application.currentInterviewStage.id', undefined],
  ],
  lever: [['data.toStageId', undefined]],
}
/** The same of what is answered when an application is asked for. */
const inAnswers: Readonly<Partial<Record<StageProvider, readonly (readonly [RegExp, string, unknown])[]>>> = {
  lever: [
    [/opportunities/, 'data.emails', null],
    [/opportunities/, 'data.emails', undefined],
    [/opportunities/, 'data.name', undefined],
  ],
  teamtailor: [
    [/job-applications/, 'included.0.attributes.email', undefined],
    [/job-applications/, 'included.0.attributes.first-name', null],
  ],
}

describeAts('what a message or an answer may leave out', (t) => {
  const { connect, syncs, send, newsOf, sessionsOf } = t
  const quiet = { push: [] }
  const inbound = async (id: string) => (await syncs(id, { direction: 'inbound' })).items[0]

  for (const provider of stageProviders) {
    const enterWith = async (reshape: (message: object) => unknown) => {
      const one = await connect(provider, quiet)
      const person = theirApplicant(t.double)
      expect(await send(one, newsOf(one, person, { reshape }))).toBe(200)
      await t.server.processAll()
      return { row: await inbound(one.id), sessions: await sessionsOf(person, provider) }
    }
    const told = inMessages[provider] ?? []
    if (told.length > 0)
      it.each(told)(`${provider}: a message with %s as %j is of an entered stage all the same`, async (path, value) => {
        const { row, sessions } = await enterWith((message) =>
          value === undefined ? without(message, path) : withValue(message, path, value),
        )
        expect(row).toMatchObject({ status: 'done' })
        expect(sessions).toHaveLength(1)
      })
    const answered = inAnswers[provider] ?? []
    if (answered.length > 0)
      it.each(answered)(`${provider}: an answer of %s with %s as %j is enough`, async (where, path, value) => {
        t.double.reshape = ({ path: asked }, body) => {
          if (!where.test(asked)) return body
          return value === undefined ? without(body, path) : withValue(body, path, value)
        }
        const { row, sessions } = await enterWith((message) => message)
        expect(row).toMatchObject({ status: 'done' })
        expect(sessions).toHaveLength(1)
      })
  }

  it.each([
    ['greenhouse', 'payload.application.current_stage'],
    ['ashby', 'data.application.currentInterviewStage'],
    ['lever', 'data.toStageId'],
  ] as const)(
    '%s: a message that says that they are in no stage is passed over, and says why',
    async (provider, path) => {
      const one = await connect(provider, quiet)
      const person = theirApplicant(t.double)
      const news = newsOf(one, person, { reshape: (message) => withValue(message, path, null) })
      expect(await send(one, news)).toBe(200)
      await t.server.processAll()
      expect(await inbound(one.id)).toMatchObject({ status: 'ignored', problem: 'they entered no stage' })
      expect(await sessionsOf(person, provider)).toEqual([])
    },
  )

  it('the first address that is one gets the invitation', async () => {
    const one = await connect('greenhouse', { ...quiet, invite: true })
    const person = theirApplicant(t.double)
    const values = [{ value: null }, { value: 'n/a' }, { value: ' good@x.example ' }]
    const reshape = (message: object) => withValue(message, 'payload.application.candidate.email_addresses', values)
    expect(await send(one, newsOf(one, person, { reshape }))).toBe(200)
    await t.server.processAll()
    expect(await inbound(one.id)).toMatchObject({ status: 'done', problem: null })
    expect((await readOutbox(t.server)).flatMap(({ to }) => to)).toContain('good@x.example')
  })

  describe('a message of Lever that is sent again from its log', () => {
    it('counts for a fortnight with the stamp that it had, and never twice', async () => {
      const one = await connect('lever', quiet)
      const person = theirApplicant(t.double)
      const now = t.server.clock.now()
      const news = newsOf(one, person, { now: now - 3 * day })
      expect([await send(one, news), await send(one, news)]).toEqual([200, 200])
      await t.server.processAll()
      expect((await syncs(one.id)).total).toBe(1)
      expect(await sessionsOf(person, 'lever')).toHaveLength(1)
      expect(await send(one, newsOf(one, person, { now: now - 16 * day }))).toBe(401)
    })
  })
})
