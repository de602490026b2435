import { describe, expect, it } from 'vitest'
import { theirApplicant } from '../../test-support/ats-double.ts'
import { readOutbox } from '../../test-support/mail.ts'
import { refusalOf } from '../../test-support/refusal.ts'
import { asMember } from '../candidate-requests/candidate-requests.test-support.ts'
import { describeAts } from './ats.test-support.ts'

describeAts('what a session of an applicant is made by', (t) => {
  const { connect, change, enter, sessionsOf } = t
  const quiet = { push: [], invite: false }
  const technical = { id: '71416', name: 'Technical interview' }
  const phone = { id: '71417', name: 'Phone screen' }
  const policy = async (name: string) => {
    const body = { name: `${name} ${t.engine}`, config: { retentionDays: 7 } }
    const made = await asMember(t.server, 'portal.policies.create', { params: t.params(), body } as never)
    return (made as unknown as { id: string }).id
  }

  describe('its policy', () => {
    it('is that of the stage that was entered, by id or name, and the usual one for any other', async () => {
      const [usual, byId, byName] = [await policy('Usual'), await policy('By id'), await policy('By name')]
      const one = await connect('greenhouse', {
        ...quiet,
        triggerStages: ['71416', 'phone screen', 'Onsite'],
        policyId: usual,
        mapping: {
          policies: [
            { stage: '71416', policyId: byId },
            { stage: ' PHONE screen', policyId: byName },
          ],
        },
      })
      const madeBy = async (stage: { id: string; name: string }) => {
        const person = theirApplicant(t.double, { stage })
        await enter(one, person)
        return (await sessionsOf(person))[0]?.policy?.id
      }
      expect([await madeBy(technical), await madeBy(phone), await madeBy({ id: '9', name: 'Onsite' })]).toEqual([
        ...[byId, byName, usual],
      ])
    })

    it('must be one of the organisation, and stays where the mapping is not named', async () => {
      const known = await policy('Known')
      const policies = [{ stage: '1', policyId: known }]
      const one = await connect('greenhouse', { ...quiet, mapping: { policies } })
      const unknown = { policies: [{ stage: '1', policyId: 'pol_00000000000000000000000000' }] }
      expect(await refusalOf(change(one.id, { settings: { mapping: unknown } }))).toMatchObject({ status: 400 })
      const after = await change(one.id, { settings: { mapping: { label: 'none' } } })
      expect(after.settings.mapping).toEqual({ policies, label: 'none' })
      expect((await change(one.id, { settings: { invite: true } })).settings.mapping).toEqual(after.settings.mapping)
    })
  })

  it.each([
    ['name', ({ first, last }: { first: string; last: string }) => `${first} ${last}`],
    ['application_id', ({ applicationId }: { applicationId: string }) => applicationId],
    ['none', () => null],
  ] as const)('its label is what was chosen: %s', async (label, expected) => {
    const one = await connect('greenhouse', { ...quiet, invite: true, mapping: { label } })
    const person = theirApplicant(t.double)
    await enter(one, person)
    await t.server.processAll()
    const [session] = await sessionsOf(person)
    expect(session?.candidateLabel ?? null).toBe(expected(person))
    const letter = (await readOutbox(t.server)).find(({ to }) => to.includes(person.email ?? ''))?.text ?? ''
    expect(letter).not.toBe('')
    expect(letter.includes(person.first)).toBe(label === 'name')
  })

  it('settings of a connection from before there was a mapping are as they were', async () => {
    const one = await connect('greenhouse', quiet)
    const settings = JSON.stringify({ triggerStages: ['71416'], policyId: null, invite: false, push: [] })
    await t.server.app.db.transact((tx) =>
      tx.run('UPDATE ats_connections SET settings = ? WHERE config_id = ?', [settings, one.id]),
    )
    const person = theirApplicant(t.double)
    await enter(one, person)
    expect((await sessionsOf(person))[0]?.candidateLabel).toBe('Asha Verma')
  })
})
