import { Secret, TOTP } from 'otpauth'
import { type Authenticator, type Ceremony, createAuthenticator } from './authenticator.ts'
import { addMember, postLogin, type TestMember } from './portal.ts'
import { type TestServer, testPassword } from './server.ts'
import { seatOf } from './sign-ins.ts'

/** What the authenticator app shows at an instant. */
export const codeAt = (secret: string, now: number): string =>
  TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: now })

type Cookie = Awaited<ReturnType<typeof seatOf>>

export interface Secured extends TestMember {
  readonly headers: Cookie
  readonly secret: string
  readonly factorId: string
  readonly recoveryCodes: readonly string[]
}

/** Begins to add an authenticator app. */
export const beginTotp = async (server: TestServer, headers: Cookie) =>
  (await server.client().call('auth.factors.totp.begin', { headers, body: { password: testPassword } })).data

/** Adds an authenticator app to somebody's account; the code of this moment is taken by it. */
export const addTotp = async (server: TestServer, person: TestMember): Promise<Secured> => {
  const headers = await seatOf(server, person.userId)
  const { secret } = await beginTotp(server, headers)
  const body = { code: codeAt(secret, server.app.clock.now()), label: 'Phone' }
  const { data } = await server.client().call('auth.factors.totp.confirm', { headers, body })
  return { ...person, headers, secret, factorId: data.factor.id, recoveryCodes: data.recoveryCodes ?? [] }
}

/** A new member with an authenticator app. */
export const secured = async (server: TestServer, orgId: string = server.orgs[0].orgId): Promise<Secured> =>
  addTotp(server, await addMember(server, 'owner', orgId))

/** How a page of the service names itself to a passkey. */
export const partyOf = ({ app }: TestServer): Pick<Ceremony, 'origin' | 'rpId'> => {
  const { origin, hostname } = new URL(app.config.baseUrl)
  return { origin, rpId: hostname }
}

export const challengeOf = (options: unknown): string => String((options as { challenge: unknown }).challenge)

/** What a browser makes of a passkey that is begun for somebody. */
export const makePasskey = async (
  server: TestServer,
  headers: Cookie,
  authenticator: Authenticator,
  lie: Partial<Ceremony> = {},
) => {
  const body = { password: testPassword }
  const { data } = await server.client().call('auth.factors.passkeys.begin', { headers, body })
  return authenticator.create({ ...partyOf(server), challenge: challengeOf(data.options), ...lie })
}

/** Adds a passkey to somebody's account. */
export const addPasskey = async (
  server: TestServer,
  person: TestMember,
  authenticator: Authenticator = createAuthenticator(),
) => {
  const headers = await seatOf(server, person.userId)
  const credential = await makePasskey(server, headers, authenticator)
  const { data } = await server.client().call('auth.factors.passkeys.add', { headers, body: { credential } })
  return { ...person, headers, authenticator, factorId: data.factor.id, recoveryCodes: data.recoveryCodes ?? [] }
}

/** The first step of a sign-in to an account that has a second. */
export const openStep = async (server: TestServer, email: string, headers: Readonly<Record<string, string>> = {}) => {
  const answer = await postLogin(server, { email, password: testPassword }, headers)
  const { data } = (await answer.json()) as {
    data: { secondFactor: { challengeToken: string; methods: string[]; passkeyOptions?: unknown; expiresAt: string } }
  }
  return { ...data.secondFactor, cookies: answer.headers.getSetCookie(), status: answer.status }
}

/** The second step, with its raw answer. */
export const postStep = (server: TestServer, body: unknown) =>
  fetch(`${server.url}/v1/auth/login/second-factor`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
