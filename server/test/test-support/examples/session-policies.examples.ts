import { portalCookie } from '../portal.ts'
import type { World } from '../world.ts'
import { byUser, type Examples, ofOrg } from './example.ts'

const newPolicy = { name: 'Standard', description: 'For every first interview.', config: { capture: { quality: 60 } } }

/** An organisation may have a limited number of policies: those that other examples made go first. */
const withoutSparePolicies = async ({ server, scope }: World): Promise<void> => {
  const sql =
    "UPDATE session_policies SET state = 'archived', archived_at = 0 WHERE org_id = ? AND name LIKE 'Standard%'"
  await server.app.db.transact((tx) => tx.run(sql, [scope.orgId]))
}

/** A new policy, saved by an owner. */
export const savePolicy = async ({ server, scope }: World, body: object = newPolicy): Promise<string> => {
  const headers = await portalCookie(server, 'owner', scope.orgId)
  const params = { orgId: scope.orgId }
  const { data } = await server
    .client()
    .call('portal.policies.create', { headers, params, body: { ...newPolicy, ...body } })
  return data.id
}
const ofNewPolicy = async (world: World) => {
  await withoutSparePolicies(world)
  const policyId = await savePolicy(world)
  return { headers: await byUser(world), params: { orgId: world.scope.orgId, policyId } }
}

export const sessionPoliciesExamples = {
  'portal.policies.list': async (world) => {
    const { headers, params } = await ofOrg(world)
    const { data } = await world.server.client().call('portal.policies.list', { headers, params })
    for (let n = data.total; n < 3; n++) await savePolicy(world, { name: `Listed ${n}` })
    return { headers, params }
  },
  'portal.policies.create': async (world) => {
    await withoutSparePolicies(world)
    return { ...(await ofOrg(world)), json: newPolicy }
  },
  'portal.policies.get': ofNewPolicy,
  'portal.policies.patch': async (world) => ({ ...(await ofNewPolicy(world)), json: { name: 'Standard, renamed' } }),
  'portal.policies.versions.create': async (world) => ({
    ...(await ofNewPolicy(world)),
    json: { config: { retentionDays: 30 }, expectedVersion: 1 },
  }),
  'portal.policies.duplicate': async (world) => ({ ...(await ofNewPolicy(world)), json: { name: 'Standard, again' } }),
  'portal.policies.archive': async (world) => ({ ...(await ofNewPolicy(world)), json: { reason: 'Not needed.' } }),
  'portal.policies.consentPreview': async (world) => ({ ...(await ofNewPolicy(world)), query: { locale: 'hi' } }),
  'portal.policies.consentPreview.draft': async (world) => ({
    ...(await ofOrg(world)),
    json: { config: { capture: { recording: true } }, locale: 'en' },
  }),
} satisfies Examples
