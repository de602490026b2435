import { type BuiltInRole, type Permission, permissions } from '@integrity/protocol'
import { afterAll, beforeAll, describe } from 'vitest'
import { findMemberByUser } from '../../../src/domains/organisation/people/memberships.store.ts'
import { everyEngine } from '../../test-support/engines.ts'
import { addMember, addPerson, type TestMember } from '../../test-support/portal.ts'
import { type ServerOptions, startServer, type TestServer } from '../../test-support/server.ts'
import { seatOf } from '../../test-support/sign-ins.ts'

export const everyPermission = Object.keys(permissions) as Permission[]
export const allBut = (...without: Permission[]): Permission[] =>
  everyPermission.filter((permission) => !without.includes(permission))

/** A member who is signed in. */
export interface Seat extends TestMember {
  readonly id: string
  readonly headers: { cookie: string }
}

export type PeopleTools = ReturnType<typeof toolsOf>

let named = 0

/** A server on both databases, and what the tests of people do with it. */
export const describePeople = (title: string, suite: (t: PeopleTools) => void, options: ServerOptions = {}): void => {
  for (const engine of everyEngine())
    describe(`${title} (${engine})`, () => {
      let server: TestServer
      beforeAll(async () => {
        server = await startServer({ engine, ...options })
      })
      afterAll(() => server.stop())
      suite(toolsOf(() => server))
    })
}

const toolsOf = (server: () => TestServer) => {
  const portal = () => server().client()
  const orgOf = () => server().orgs[0].orgId
  const sit = async (member: TestMember, orgId: string): Promise<Seat> => {
    const row = await findMemberByUser(server().app.db.reader, orgId, member.userId)
    return { ...member, id: row?.id ?? '', headers: await seatOf(server(), member.userId) }
  }
  const member = async (role: BuiltInRole, orgId = orgOf()): Promise<Seat> =>
    sit(await addMember(server(), role, orgId), orgId)
  const create = async (by: Seat, held: readonly Permission[], orgId = orgOf()) => {
    named += 1
    const body = { name: `Role ${named}`, permissions: [...held] }
    return (await portal().call('portal.roles.create', { params: { orgId }, headers: by.headers, body })).data
  }
  const assign = async (by: Seat, to: { id: string }, roleId: string | null, orgId = orgOf()) =>
    (
      await portal().call('portal.roles.assign', {
        params: { orgId, membershipId: to.id },
        headers: by.headers,
        body: { roleId },
      })
    ).data
  return {
    get server() {
      return server()
    },
    get orgId() {
      return orgOf()
    },
    portal,
    member,
    /** An organisation of its own, with its owner. */
    org: async () => {
      const person = await addPerson(server())
      const headers = await seatOf(server(), person.userId)
      named += 1
      const { data } = await portal().call('portal.orgs.create', { headers, body: { name: `Own ${named}` } })
      return { orgId: data.id, owner: await sit(person, data.id) }
    },
    create,
    assign,
    /** A member whose custom role holds exactly these. */
    holder: async (held: readonly Permission[], role: BuiltInRole = 'reviewer', orgId = orgOf()): Promise<Seat> => {
      const owner = await member('owner', orgId)
      const seat = await member(role, orgId)
      await assign(owner, seat, (await create(owner, held, orgId)).id, orgId)
      return seat
    },
    add: async (by: Seat, body: { email: string; name?: string; role?: BuiltInRole }, orgId = orgOf()) =>
      (
        await portal().call('portal.members.add', {
          params: { orgId },
          headers: by.headers,
          body: { name: 'Asha Rao', role: 'reviewer', ...body },
        })
      ).data,
    change: async (by: Seat, to: { id: string }, body: { role?: BuiltInRole; active?: boolean }, orgId = orgOf()) =>
      (
        await portal().call('portal.members.change', {
          params: { orgId, membershipId: to.id },
          headers: by.headers,
          body,
        })
      ).data,
    list: async (by: Seat, query: Record<string, unknown> = {}, orgId = orgOf()) =>
      (await portal().call('portal.members.list', { params: { orgId }, headers: by.headers, query })).data,
    roles: async (by: Seat, orgId = orgOf()) =>
      (await portal().call('portal.roles.list', { params: { orgId }, headers: by.headers })).data,
    auditOf: async (target: string) =>
      (
        await server().app.db.reader.all<{ action: string }>(
          'SELECT action FROM audit_log WHERE target = ? ORDER BY seq',
          [target],
        )
      ).map(({ action }) => action),
  }
}
