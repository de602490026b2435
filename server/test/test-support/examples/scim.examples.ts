import { scimGroup, scimMember, scimTokenOf } from '../scim.ts'
import type { World } from '../world.ts'
import { bearer, type Example, type Examples, ofOrg } from './example.ts'

const ofProvider = async ({ server, scope }: World): Promise<Example> => ({
  headers: bearer(await scimTokenOf(server, scope.orgId)),
})
const ofType = async (world: World) => ({ ...(await ofProvider(world)), params: { typeId: 'User' } })
const ofMember = async (world: World) => {
  const { id, email } = await scimMember(world.server, world.scope.orgId)
  return { ...(await ofProvider(world)), params: { userId: id }, email }
}
const ofGroup = async (world: World) => {
  const { id } = await scimMember(world.server, world.scope.orgId)
  return { ...(await ofProvider(world)), params: { groupId: await scimGroup(world.server, world.scope.orgId, [id]) } }
}

let made = 0
const newName = (): string => {
  made += 1
  return `provisioned${made}@example.org`
}
const schemaId = 'urn:ietf:params:scim:schemas:core:2.0:User'

export const scimExamples = {
  'portal.scim.issueToken': ofOrg,
  'portal.scim.calls': ofOrg,
  'portal.scim.revokeToken': ofOrg,
  'scim.provider': ofProvider,
  'scim.resourceTypes.list': ofProvider,
  'scim.resourceTypes.get': ofType,
  'scim.schemas.list': ofProvider,
  'scim.schemas.get': async (world) => ({ ...(await ofProvider(world)), params: { schemaId } }),
  'scim.search': async (world) => ({ ...(await ofProvider(world)), json: { count: 2 } }),
  'scim.users.list': ofProvider,
  'scim.users.search': async (world) => ({ ...(await ofProvider(world)), json: { filter: 'active eq true' } }),
  'scim.users.get': ofMember,
  'scim.users.create': async (world) => ({ ...(await ofProvider(world)), json: { userName: newName() } }),
  'scim.users.replace': async (world) => ({ ...(await ofMember(world)), json: { userName: newName(), title: 'Lead' } }),
  'scim.users.patch': async (world) => ({
    ...(await ofMember(world)),
    json: { Operations: [{ op: 'replace', path: 'title', value: 'Lead' }] },
  }),
  'scim.users.delete': ofMember,
  'scim.groups.list': ofProvider,
  'scim.groups.search': async (world) => ({ ...(await ofProvider(world)), json: { count: 1 } }),
  'scim.groups.get': ofGroup,
  'scim.groups.create': async (world) => ({ ...(await ofProvider(world)), json: { displayName: newName() } }),
  'scim.groups.replace': async (world) => ({ ...(await ofGroup(world)), json: { displayName: newName() } }),
  'scim.groups.patch': async (world) => ({
    ...(await ofGroup(world)),
    json: { Operations: [{ op: 'replace', path: 'displayName', value: newName() }] },
  }),
  'scim.groups.delete': ofGroup,
} satisfies Examples
