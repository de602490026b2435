import { generateIdentity } from '../../../src/platform/crypto/age-keys.ts'
import { portalCookie } from '../portal.ts'
import type { World } from '../world.ts'
import { type Examples, ofOrg } from './example.ts'

/** A recipient of an organisation that has no other: there may be few of them. */
export const anOwnRecipient = async ({ server, scope }: World) => {
  const { orgId } = scope
  await server.app.db.transact((tx) => tx.run('DELETE FROM org_recipients WHERE org_id = ?', [orgId]))
  const { data } = await server.client().call('portal.recipients.add', {
    params: { orgId },
    headers: await portalCookie(server, 'owner', orgId),
    body: { recipient: generateIdentity().recipient, label: 'Safe' },
  })
  return data
}

export const recipientsExamples = {
  'portal.recipients.list': ofOrg,
  'portal.recipients.add': async (world) => {
    await anOwnRecipient(world)
    return { ...(await ofOrg(world)), json: { recipient: generateIdentity().recipient, label: 'Key of the safe' } }
  },
  'portal.recipients.remove': async (world) => {
    const { id } = await anOwnRecipient(world)
    const { headers, params } = await ofOrg(world)
    return { headers, params: { ...params, recipientId: id } }
  },
} satisfies Examples
