import { putToken } from '../src/domains/scim/tokens.store.ts'
import type { Parts } from '../src/kernel/parts.ts'
import { newSecret } from '../src/platform/crypto/secrets.ts'

const text = (name: string) => ({ name, type: 'text' }) as const
const number = (name: string) => ({ name, type: 'bigint' }) as const

/** So many members of whom the identity provider has said the usual, and its token. */
export const makeScimUsers = async (app: Parts, orgId: string, count: number): Promise<{ scimToken: string }> => {
  const now = app.clock.now()
  const { token, hash } = newSecret('scim_')
  await app.db.transact((tx) => putToken(tx, orgId, { id: app.newId('sct'), hash, now, reachesOwners: true }))
  const people = Array.from({ length: count }, (_none, n) => ({
    ...{ user: app.newId('usr'), member: app.newId('mem'), email: `p${n}@example.org` },
    name: { givenName: `Given ${n}`, familyName: `Family ${n}` },
  }))
  for (let at = 0; at < count; at += 5000) {
    const some = people.slice(at, at + 5000)
    await app.db.transact(async (tx) => {
      await tx.insertMany(
        'users',
        [text('user_id'), text('email'), number('created_at')],
        some.map(({ user, email }) => [user, email, now]),
      )
      await tx.insertMany(
        'memberships',
        [text('org_id'), text('membership_id'), text('user_id'), text('role'), number('created_at')],
        some.map(({ user, member }) => [orgId, member, user, 'interviewer', now]),
      )
      const columns = ['org_id', 'membership_id', 'user_name_lower', 'external_id', 'emails_lower', 'attributes']
      await tx.insertMany(
        'scim_users',
        [...columns.map(text), number('updated_at')],
        some.map(({ member, email, name }) => {
          const said = {
            userName: email,
            externalId: member,
            name,
            emails: [{ value: email, type: 'work', primary: true }],
          }
          return [orgId, member, email, member, `\n${email}\n`, JSON.stringify(said), now]
        }),
      )
    })
  }
  await app.db.transact((tx) =>
    tx.run(
      `INSERT INTO membership_counts (org_id, role, active, custom_role_id, n) VALUES (?, 'interviewer', 1, '', ?)`,
      [orgId, count],
    ),
  )
  return { scimToken: token }
}
