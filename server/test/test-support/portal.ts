import type { BuiltInRole } from '@integrity/protocol'
import { beginSignIn } from '../../src/domains/access/auth/sign-ins/sign-ins.service.ts'
import {
  findMemberByUser,
  insertMembership,
  listMembershipsAcrossOrgs,
  updateMembership,
} from '../../src/domains/organisation/people/memberships.store.ts'
import { insertUser } from '../../src/domains/organisation/people/users.store.ts'
import { deskOperator, passwordHash, type TestServer, testPassword } from './server.ts'

export interface TestMember {
  readonly userId: string
  readonly email: string
}

let made = 0

/** A person with a password, who is a member of nothing yet. */
export const addPerson = async ({ app }: TestServer, address?: string): Promise<TestMember> => {
  made += 1
  const user = { id: app.newId('usr'), email: address ?? `member${made}@example.org` }
  const hash = await passwordHash()
  await app.db.transact((tx) => insertUser(tx, { ...user, passwordHash: hash, now: app.clock.now() }))
  return { userId: user.id, email: user.email }
}

export const join = async ({ app }: TestServer, userId: string, orgId: string, role: BuiltInRole): Promise<void> => {
  const membership = { id: app.newId('mem'), userId, role, now: app.clock.now() }
  await app.db.transact((tx) => insertMembership(tx, orgId, membership))
}

/** A new member of an organisation, with `testPassword`. */
export const addMember = async (
  server: TestServer,
  role: BuiltInRole,
  orgId: string = server.orgs[0].orgId,
): Promise<TestMember> => {
  const member = await addPerson(server)
  await join(server, member.userId, orgId, role)
  return member
}

/** Everywhere. */
export const deactivate = async ({ app }: TestServer, userId: string): Promise<void> => {
  await app.db.transact(async (tx) => {
    for (const { orgId } of await listMembershipsAcrossOrgs(tx, userId)) {
      const member = await findMemberByUser(tx, orgId, userId)
      if (member) await updateMembership(tx, orgId, member, { ...member, active: 0, deactivatedAt: app.clock.now() })
    }
  })
}

/** The cookies of an answer, by name; a cleared one is an empty text. */
export const cookiesOf = (headers: Headers): Readonly<Record<string, string>> =>
  Object.fromEntries(
    headers.getSetCookie().map((line) => {
      const pair = line.split(';')[0] ?? ''
      const at = pair.indexOf('=')
      return [pair.slice(0, at), pair.slice(at + 1)]
    }),
  )

/** Cookies as a request carries them. */
export const cookieHeader = (cookies: Readonly<Record<string, string>>): { cookie: string } => ({
  cookie: Object.entries(cookies)
    .map(([name, value]) => `${name}=${value}`)
    .join('; '),
})

export const postLogin = (server: TestServer, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
  fetch(`${server.url}/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })

/** What is before the names of cookies where the service is reached by https. */
const prefixOf = ({ app }: TestServer): string => (app.config.baseUrl.startsWith('https:') ? '__Host-' : '')

/** The cookie of a signed-in person. */
export const accessCookie = (server: TestServer, access: string): { cookie: string } =>
  cookieHeader({ [`${prefixOf(server)}portal_access`]: access })

/** Signs in for real and gives both cookies. */
export const signIn = async (
  server: TestServer,
  email: string,
): Promise<{ access: string; refresh: string; cookie: string }> => {
  const answer = await postLogin(server, { email, password: testPassword })
  if (answer.status !== 200) throw new Error(`${email} could not sign in: ${answer.status} ${await answer.text()}`)
  await answer.arrayBuffer()
  const cookies = cookiesOf(answer.headers)
  const at = prefixOf(server)
  return {
    access: cookies[`${at}portal_access`] ?? '',
    refresh: cookies[`${at}portal_refresh`] ?? '',
    ...cookieHeader(cookies),
  }
}

interface Seat {
  readonly member: TestMember
  cookie: Promise<{ cookie: string }>
  /** When the cookie is too old, by the server's clock. */
  until: number
}
const seats = new WeakMap<TestServer, Map<string, Promise<Seat>>>()

/** A member of each role and organisation is made once and signs in once, and again when the tests' clock has moved on. */
export const portalCookie = async (
  server: TestServer,
  role: BuiltInRole = 'owner',
  orgId: string = server.orgs[0].orgId,
): Promise<{ cookie: string }> => {
  const ofServer = seats.get(server) ?? new Map<string, Promise<Seat>>()
  seats.set(server, ofServer)
  const name = `${orgId} ${role}`
  const making =
    ofServer.get(name) ??
    addMember(server, role, orgId).then((member) => ({ member, cookie: Promise.resolve({ cookie: '' }), until: 0 }))
  ofServer.set(name, making)
  const seat = await making
  if (server.clock.now() >= seat.until) {
    seat.until = server.clock.now() + 10 * 60_000
    seat.cookie = signIn(server, seat.member.email).then(({ access }) => accessCookie(server, access))
  }
  return seat.cookie
}

const operators = new WeakMap<TestServer, Promise<TestMember>>()

/** Who may decide at the access desk: an account of the address in the settings, a member of nothing. */
export const operatorCookie = async (server: TestServer): Promise<{ cookie: string }> => {
  const { app } = server
  const making = operators.get(server) ?? addPerson(server, deskOperator)
  operators.set(server, making)
  const { userId } = await making
  const tokens = await app.db.transact((tx) => beginSignIn({ ...app, tx, reader: tx }, { userId }))
  return accessCookie(server, tokens.access)
}
