import { addGroupMembers, putGroup } from '../../src/domains/access/scim/groups.store.ts'
import { findTokenByHash, putToken } from '../../src/domains/access/scim/tokens.store.ts'
import { findMemberByUser } from '../../src/domains/organisation/people/memberships.store.ts'
import { hashSecret, newSecret } from '../../src/platform/crypto/secrets.ts'
import { addMember } from './portal.ts'
import type { TestServer } from './server.ts'

const made = new WeakMap<TestServer, Map<string, string>>()

/** An organisation has one token: the same each time, for as long as nobody made another one. */
export const scimTokenOf = async (server: TestServer, orgId: string): Promise<string> => {
  const { app } = server
  const tokens = made.get(server) ?? new Map<string, string>()
  made.set(server, tokens)
  const known = tokens.get(orgId)
  if (known && (await findTokenByHash(app.db.reader, hashSecret(known)))) return known
  const { token, hash } = newSecret('scim_')
  await app.db.transact((tx) =>
    putToken(tx, orgId, {
      id: app.newId('sct'),
      hash,
      now: app.clock.now(),
      reachesOwners: true,
    }),
  )
  tokens.set(orgId, token)
  return token
}

/** A member whom the identity provider said nothing of yet. */
export const scimMember = async (server: TestServer, orgId: string): Promise<{ id: string; email: string }> => {
  const { userId, email } = await addMember(server, 'interviewer', orgId)
  const member = await findMemberByUser(server.app.db.reader, orgId, userId)
  return { id: member?.id ?? '', email }
}

export const scimGroup = async (
  { app }: TestServer,
  orgId: string,
  members: readonly string[] = [],
): Promise<string> => {
  const id = app.newId('scg')
  await app.db.transact(async (tx) => {
    await putGroup(tx, orgId, { id, displayName: `Group ${id}`, externalId: null, now: app.clock.now() })
    await addGroupMembers(tx, orgId, id, members)
  })
  return id
}
