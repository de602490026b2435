import { notFound } from '@integrity/protocol'
import type { Needs, WriteCall } from '../../../kernel/call.ts'
import type { ActorOf } from '../../../kernel/identity/actor.ts'
import { lockPeople } from '../../organisation/people/guards.service.ts'
import { provisionMember, switchMember } from '../members/provisioning.service.ts'
import { refusedByRule, scimFault } from './faults.model.ts'
import { parseFilter } from './filter.model.ts'
import { conditionOf } from './filters.store.ts'
import { groupsOfUsers, leaveGroups } from './groups.store.ts'
import type { ListQuery, Source } from './lists.service.ts'
import { patched } from './patch.model.ts'
import type { PatchOperation } from './patch.work.model.ts'
import { addressOf, checkedUser, personNameOf, type UserAttributes, type UserInput } from './resource.model.ts'
import { memberOfAddress } from './user-members.service.ts'
import { countUsers, findUser, forgetUser, pageOfUsers, putUser, type ScimUserRow, userColumns } from './users.store.ts'
import { attributesOf, type UserView, userView } from './users.view.ts'
import { checkVersion } from './versions.model.ts'

type Reading = Needs<'config' | 'reader' | 'scope'>
export type ScimCall = WriteCall<ActorOf<'scim'>> &
  Needs<'config' | 'credentials' | 'keyring' | 'streams'> & { readonly ifMatch: string | undefined }
type View = UserView

const viewsOf = async (call: Reading, rows: readonly ScimUserRow[]): Promise<View[]> => {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const groups = Map.groupBy(await groupsOfUsers(call.reader, call.scope.orgId, ids), ({ id }) => id)
  return rows.map((row) => userView(call.config.baseUrl, row, groups.get(row.id) ?? []))
}

/** Users as a part of a list. */
export const usersSource = (
  call: Reading,
  {
    query: { filter },
    lenient = false,
  }: { readonly query: Pick<ListQuery, 'filter'>; readonly lenient?: boolean | undefined },
): Source<View> => {
  const { reader, scope } = call
  const { orgId } = scope
  const where = filter ? conditionOf(parseFilter(filter), userColumns(orgId), lenient) : undefined
  return async () => {
    const total = await countUsers(reader, orgId, where)
    const page = async (part: { skip: number; take: number }) =>
      viewsOf(call, await pageOfUsers(reader, orgId, where, { ...part, total }))
    return { total: total.n, page }
  }
}

const rowOf = async (call: Needs<'reader' | 'scope'>, id: string): Promise<ScimUserRow> => {
  const row = await findUser(call.reader, call.scope.orgId, id)
  if (!row) throw notFound('user')
  return row
}

export const getUser = async (call: Reading, id: string): Promise<View> => {
  const [view] = await viewsOf(call, [await rowOf(call, id)])
  return view!
}

/** Call with the organisation's people locked. */
const expectedRow = async (call: ScimCall, id: string): Promise<ScimUserRow> => {
  if (call.ifMatch !== undefined) checkVersion(call.ifMatch, (await getUser(call, id)).meta)
  return rowOf(call, id)
}

const refuseTaken = async (call: ScimCall, { userName }: UserAttributes, but?: string): Promise<void> => {
  const { orgId } = call.scope
  const column = userColumns(orgId)['username']
  const where = column?.kind === 'text' ? column.equal?.(userName.toLowerCase()) : undefined
  const taken = await pageOfUsers(call.tx, orgId, where, { skip: 0, take: 2 })
  if (taken.some(({ id }) => id !== but)) throw scimFault('uniqueness', 'userName: somebody has it already')
}

const keep = (call: ScimCall, id: string, attributes: UserAttributes): Promise<void> =>
  putUser(
    call.tx,
    call.scope.orgId,
    id,
    {
      userName: attributes.userName,
      externalId: attributes.externalId ?? null,
      displayName: attributes.displayName ?? null,
      givenName: attributes.name?.givenName ?? null,
      familyName: attributes.name?.familyName ?? null,
      emails: attributes.emails?.flatMap(({ value }) => value ?? []) ?? [],
      attributes: JSON.stringify(attributes),
    },
    call.clock.now(),
  )

const note = (call: ScimCall, action: 'scim.user_changed' | 'scim.user_removed', target: string) => {
  const { tx, scope, actor } = call
  return call.audit.append({ tx, scope: { orgId: scope.orgId }, actor }, { action, target })
}

const switchActive = async (call: ScimCall, id: string, active: boolean): Promise<void> => {
  const { reachesOwners } = call.actor
  await refusedByRule(() => switchMember(call, { orgId: call.scope.orgId, id, active, reachesOwners }))
}

/**
 * What somebody is until their organisation says more: least of all can they take evidence out. An identity provider makes
 * nobody an owner.
 */
const firstRole = 'interviewer'

/** Makes somebody a member, or again one who was removed. Who is there already is found by a filter, and refused here. */
export const createUser = async (call: ScimCall, { attributes, active = true }: UserInput): Promise<View> => {
  const { orgId } = call.scope
  await lockPeople(call, orgId)
  await refuseTaken(call, attributes)
  const email = addressOf(attributes)
  const known = await memberOfAddress(call, { orgId, email })
  if (known && !known.removed) throw scimFault('uniqueness', 'userName: somebody with this address is there already')
  const { id } =
    known ??
    (await refusedByRule(() =>
      provisionMember(call, { orgId, email, name: personNameOf(attributes), role: firstRole }),
    ))
  await keep(call, id, attributes)
  await switchActive(call, id, active)
  await note(call, 'scim.user_changed', id)
  return getUser(call, id)
}

/** The account keeps its address: it may belong to other organisations too, and is what the person signs in with. */
const change = async (call: ScimCall, before: ScimUserRow, { attributes, active }: UserInput): Promise<View> => {
  const kept = attributesOf(before)
  if (JSON.stringify(kept) !== JSON.stringify(attributes)) {
    if (kept.userName.toLowerCase() !== attributes.userName.toLowerCase())
      await refuseTaken(call, attributes, before.id)
    await keep(call, before.id, attributes)
    await note(call, 'scim.user_changed', before.id)
  }
  if (active !== undefined) await switchActive(call, before.id, active)
  return getUser(call, before.id)
}

/** What is not sent is gone, but for what only the service sets; who is not said to be inactive stays what they are. */
export const replaceUser = async (
  call: ScimCall,
  { id, input }: { readonly id: string; readonly input: UserInput },
): Promise<View> => {
  await lockPeople(call, call.scope.orgId)
  return change(call, await expectedRow(call, id), input)
}

export const patchUser = async (
  call: ScimCall,
  { id, operations }: { readonly id: string; readonly operations: readonly PatchOperation[] },
): Promise<View> => {
  await lockPeople(call, call.scope.orgId)
  const before = await expectedRow(call, id)
  const whole = { ...attributesOf(before), active: before.active === 1 }
  return change(call, before, checkedUser(patched(whole, operations)))
}

/** Deactivates somebody and forgets what was said of them; as a member they stay listed, since what they did stays. */
export const deleteUser = async (call: ScimCall, id: string): Promise<void> => {
  const { tx, scope, clock } = call
  await lockPeople(call, scope.orgId)
  await expectedRow(call, id)
  await switchActive(call, id, false)
  await leaveGroups(tx, scope.orgId, id, clock.now())
  await forgetUser(tx, scope.orgId, id, clock.now())
  await note(call, 'scim.user_removed', id)
}
