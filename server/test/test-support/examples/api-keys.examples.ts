import { mintApiKey } from '../../../src/domains/organisation/api-keys/api-keys.service.ts'
import { system } from '../../../src/kernel/identity/actor.ts'
import type { World } from '../world.ts'
import { byUser, type Examples, ofOrg } from './example.ts'

const newKey = { label: 'Build machine', environment: 'sandbox', scopes: ['sessions:read'] }
const ofNewKey = async (world: World) => {
  const { app } = world.server
  const { orgId, environment } = world.scope
  const wanted = { label: 'Spare', environment, scopes: ['sessions:read'] } as const
  const { keyId } = await app.db.transact((tx) =>
    mintApiKey({ ...app, tx, reader: tx }, { orgId, actor: system, input: wanted }),
  )
  return { headers: await byUser(world), params: { orgId, keyId } }
}
/** An organisation may have a limited number of keys: those that other examples made go first. */
const withoutSpareKeys = async ({ server, scope }: World): Promise<void> => {
  const sql = "UPDATE api_keys SET revoked_at = 0 WHERE org_id = ? AND label IN ('Build machine', 'all but one')"
  await server.app.db.transact((tx) => tx.run(sql, [scope.orgId]))
}

export const apiKeysExamples = {
  'portal.apiKeys.list': ofOrg,
  'portal.apiKeys.create': async (world) => {
    await withoutSpareKeys(world)
    return { ...(await ofOrg(world)), json: newKey }
  },
  'portal.apiKeys.requests': ofNewKey,
  'portal.apiKeys.rotate': async (world) => ({ ...(await ofNewKey(world)), json: {} }),
  'portal.apiKeys.revoke': ofNewKey,
} satisfies Examples
