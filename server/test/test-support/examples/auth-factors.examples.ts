import { createAuthenticator } from '../authenticator.ts'
import { beginTotp, codeAt, makePasskey, openStep, secured } from '../factors.ts'
import { addMember } from '../portal.ts'
import { testPassword } from '../server.ts'
import { seatOf } from '../sign-ins.ts'
import type { World } from '../world.ts'
import type { Examples } from './example.ts'

const seated = async ({ server, scope }: World) => {
  const { userId } = await addMember(server, 'owner', scope.orgId)
  return { userId, headers: await seatOf(server, userId) }
}

const travellers = new WeakMap<World, ReturnType<typeof seated>>()
/** Somebody who is signed in at several places. */
const traveller = (world: World): ReturnType<typeof seated> => {
  const make = async () => {
    const person = await seated(world)
    for (let n = 0; n < 3; n++) await seatOf(world.server, person.userId)
    return person
  }
  const known = travellers.get(world) ?? make()
  travellers.set(world, known)
  return known
}

/** The one that somebody began last. */
const lastSignIn = async (world: World, userId: string): Promise<string> => {
  const sql = 'SELECT max(portal_session_id) AS id FROM portal_sessions WHERE user_id = ?'
  return (await world.server.app.db.reader.get<{ id: string }>(sql, [userId]))?.id ?? ''
}

const proof = { password: testPassword }

export const authFactorsExamples = {
  'auth.login.secondFactor': async ({ server, scope }) => {
    const { email, secret } = await secured(server, scope.orgId)
    const { challengeToken } = await openStep(server, email)
    return { json: { challengeToken, code: codeAt(secret, server.clock.now() + 30_000) } }
  },
  'auth.factors.list': async ({ server, scope }) => ({ headers: (await secured(server, scope.orgId)).headers }),
  'auth.factors.totp.begin': async (world) => ({ headers: (await seated(world)).headers, json: proof }),
  'auth.factors.totp.confirm': async (world) => {
    const { headers } = await seated(world)
    const { secret } = await beginTotp(world.server, headers)
    return { headers, json: { code: codeAt(secret, world.server.clock.now()), label: 'Phone' } }
  },
  'auth.factors.passkeys.begin': async (world) => ({ headers: (await seated(world)).headers, json: proof }),
  'auth.factors.passkeys.add': async (world) => {
    const { headers } = await seated(world)
    const credential = await makePasskey(world.server, headers, createAuthenticator())
    return { headers, json: { credential, label: 'Key' } }
  },
  'auth.factors.recoveryCodes.renew': async ({ server, scope }) => ({
    headers: (await secured(server, scope.orgId)).headers,
    json: proof,
  }),
  'auth.factors.remove': async ({ server, scope }) => {
    const { headers, factorId } = await secured(server, scope.orgId)
    return { headers, params: { factorId }, json: proof }
  },
  'auth.signIns.list': async (world) => ({ headers: (await traveller(world)).headers }),
  'auth.signIns.end': async (world) => {
    const { userId, headers } = await seated(world)
    await seatOf(world.server, userId)
    return { headers, params: { signInId: await lastSignIn(world, userId) } }
  },
  'auth.signIns.endOthers': async (world) => {
    const { userId } = await seated(world)
    return { headers: await seatOf(world.server, userId) }
  },
} satisfies Examples
