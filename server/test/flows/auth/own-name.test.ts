import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { enginesInTurn } from '../../test-support/engines.ts'
import { addMember, join, signIn } from '../../test-support/portal.ts'
import { refusalOf } from '../../test-support/refusal.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { actionsOf } from './portal-login.test-support.ts'

for (const engine of enginesInTurn(import.meta.filename))
  describe(`a person's own name (${engine})`, () => {
    let server: TestServer
    beforeAll(async () => {
      server = await startServer({ engine })
    })
    afterAll(() => server.stop())

    const newcomer = async () => {
      const { email, userId } = await addMember(server, 'owner')
      return { email, userId, headers: { cookie: (await signIn(server, email)).cookie } }
    }
    type Person = Awaited<ReturnType<typeof newcomer>>
    const rename = ({ headers }: Person, name: string) =>
      server.client().call('auth.me.rename', { headers, body: { name } })
    const found = async ({ headers }: Person, orgId: string, q: string) => {
      const { data } = await server.client().call('portal.members.list', { headers, params: { orgId }, query: { q } })
      return data.items.map(({ email, name }) => ({ email, name }))
    }

    it('is shown in every organisation of theirs, and they are found by it and no longer by the one before', async () => {
      const person = await newcomer()
      const [{ orgId }, other] = server.orgs
      await join(server, person.userId, other.orgId, 'owner')
      await rename(person, 'Zephyrine Alt')
      const { data } = await rename(person, '  आशा Neuhaus ')
      expect(data.user).toMatchObject({ email: person.email, name: 'आशा Neuhaus' })
      expect(data.memberships).toHaveLength(2)
      for (const org of [orgId, other.orgId]) {
        expect(await found(person, org, 'neuh आशा')).toEqual([{ email: person.email, name: 'आशा Neuhaus' }])
        expect(await found(person, org, 'zephyrine')).toEqual([])
        expect(await found(person, org, person.email)).toHaveLength(1)
      }
      expect((await actionsOf(server, person.userId)).filter((action) => action === 'user.renamed')).toHaveLength(4)
    })

    it('leaves the name by which an organisation calls them', async () => {
      const person = await newcomer()
      const [{ orgId }] = server.orgs
      await server.app.db.transact((tx) =>
        tx.run('UPDATE memberships SET name = ? WHERE org_id = ? AND user_id = ?', [
          'Of The Directory',
          orgId,
          person.userId,
        ]),
      )
      await rename(person, 'Quirin Eigen')
      expect(await found(person, orgId, person.email)).toEqual([{ email: person.email, name: 'Of The Directory' }])
      expect(await found(person, orgId, 'quirin')).toEqual([])
    })

    it('is not changed by saying it again, nor by what is no line', async () => {
      const person = await newcomer()
      await rename(person, 'Ines Weiß')
      const before = await actionsOf(server, person.userId)
      await rename(person, 'Ines Weiß')
      for (const name of ['', '   ', 'two\nlines', 'a\u202Eb', 'x'.repeat(201)])
        expect(await refusalOf(rename(person, name)), JSON.stringify(name)).toMatchObject({ status: 400 })
      expect(await actionsOf(server, person.userId)).toEqual(before)
    })
  })
