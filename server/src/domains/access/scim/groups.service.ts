import { type AuditAction, maxScimGroups, notFound, ServiceError } from '@integrity/protocol'
import type { Needs } from '../../../kernel/call.ts'
import { lockPeople } from '../../organisation/people/guards.service.ts'
import { scimFault } from './faults.model.ts'
import { parseFilter } from './filter.model.ts'
import { conditionOf } from './filters.store.ts'
import {
  addGroupMembers,
  countGroups,
  deleteGroup,
  findGroup,
  findGroupByName,
  groupColumns,
  membersOfGroups,
  pageOfGroups,
  putGroup,
  removeGroupMembers,
  type ScimGroupRow,
} from './groups.store.ts'
import { groupView } from './groups.view.ts'
import type { ListQuery, Source } from './lists.service.ts'
import { patched } from './patch.model.ts'
import type { PatchOperation } from './patch.work.model.ts'
import { checkedGroup, type Selection } from './resource.model.ts'
import type { ScimCall } from './users.service.ts'
import { whichUsers } from './users.store.ts'
import { checkVersion } from './versions.model.ts'

type Reading = Needs<'config' | 'reader' | 'scope'>
type View = ReturnType<typeof groupView>

/** Members can be thousands: they are read only where they are asked for. */
const wantsMembers = ({ attributes, excludedAttributes }: Selection): boolean => {
  const isMembers = (name: string) => /(^|:)members(\.|$)/i.test(name.trim())
  return attributes?.length
    ? attributes.some(isMembers)
    : !excludedAttributes?.some((name) => /(^|:)members$/i.test(name.trim()))
}

const viewsOf = async (call: Reading, rows: readonly ScimGroupRow[], selection: Selection): Promise<View[]> => {
  const ids = rows.map(({ id }) => id)
  const some = ids.length > 0 && wantsMembers(selection)
  const members = Map.groupBy(
    some ? await membersOfGroups(call.reader, call.scope.orgId, ids) : [],
    (row) => row.groupId,
  )
  return rows.map((row) => groupView(call.config.baseUrl, row, members.get(row.id) ?? []))
}

/** Groups as a part of a list. */
export const groupsSource = (
  call: Reading,
  {
    query,
    lenient = false,
  }: { readonly query: Pick<ListQuery, 'filter'> & Selection; readonly lenient?: boolean | undefined },
): Source<View> => {
  const { reader, scope } = call
  const { orgId } = scope
  const where = query.filter ? conditionOf(parseFilter(query.filter), groupColumns, lenient) : undefined
  return async () => ({
    total: await countGroups(reader, orgId, where),
    page: async (part) => viewsOf(call, await pageOfGroups(reader, orgId, where, part), query),
  })
}

const rowOf = async (call: Needs<'reader' | 'scope'>, id: string): Promise<ScimGroupRow> => {
  const row = await findGroup(call.reader, call.scope.orgId, id)
  if (!row) throw notFound('group')
  return row
}

export const getGroup = async (
  call: Reading,
  { id, selection = {} }: { readonly id: string; readonly selection?: Selection | undefined },
): Promise<View> => {
  const [view] = await viewsOf(call, [await rowOf(call, id)], selection)
  return view!
}

type Body = ReturnType<typeof checkedGroup>
type Action = Extract<AuditAction, `scim.group_${string}`>

const note = (call: ScimCall, action: Action, target: string) => {
  const { tx, scope, actor } = call
  return call.audit.append({ tx, scope: { orgId: scope.orgId }, actor }, { action, target })
}

const idsOf = ({ members }: Pick<Body, 'members'>): Set<string> => new Set(members?.map(({ value }) => value))

/** Only who is there can be a member of a group. */
const checkMembers = async (call: ScimCall, ids: readonly string[]): Promise<void> => {
  const there = await whichUsers(call.tx, call.scope.orgId, ids)
  const missing = ids.find((id) => !there.has(id))
  if (missing !== undefined) throw scimFault('invalidValue', 'members: there is no such user')
}

const refuseTaken = async (call: ScimCall, { displayName }: Body, but?: string): Promise<void> => {
  const taken = await findGroupByName(call.tx, call.scope.orgId, displayName)
  if (taken && taken.id !== but) throw scimFault('uniqueness', 'displayName: a group has it already')
}

export const createGroup = async (call: ScimCall, body: Body): Promise<View> => {
  const { tx, scope } = call
  const { orgId } = scope
  await lockPeople(call, orgId)
  await refuseTaken(call, body)
  if ((await countGroups(tx, orgId)) >= maxScimGroups)
    throw new ServiceError('forbidden', `there are ${maxScimGroups} groups already, which is the limit`)
  const members = [...idsOf(body)]
  await checkMembers(call, members)
  const id = call.newId('scg')
  await putGroup(tx, orgId, { ...fieldsOf(body), id, now: call.clock.now() })
  await addGroupMembers(tx, orgId, id, members)
  await note(call, 'scim.group_created', id)
  return getGroup(call, { id })
}

const fieldsOf = ({ displayName, externalId }: Body) => ({ displayName, externalId: externalId ?? null })

const change = async (
  call: ScimCall,
  before: ScimGroupRow,
  present: ReadonlySet<string>,
  body: Body,
): Promise<void> => {
  const { tx, scope } = call
  const { id } = before
  const wanted = idsOf(body)
  const [added, gone] = [[...wanted].filter((one) => !present.has(one)), [...present].filter((one) => !wanted.has(one))]
  const fields = fieldsOf(body)
  const isSame = fields.displayName === before.displayName && fields.externalId === before.externalId
  // Okta sends the name along with every change of members.
  if (isSame && added.length === 0 && gone.length === 0) return
  await refuseTaken(call, body, id)
  await checkMembers(call, added)
  // Two changes of one millisecond are two versions.
  const now = Math.max(call.clock.now(), before.updatedAt + 1)
  await putGroup(tx, scope.orgId, { ...fields, id, now })
  await addGroupMembers(tx, scope.orgId, id, added)
  await removeGroupMembers(tx, scope.orgId, id, gone)
  await note(call, 'scim.group_changed', id)
}

const expectedRow = async (call: ScimCall, id: string): Promise<ScimGroupRow> => {
  const row = await rowOf(call, id)
  checkVersion(call.ifMatch, groupView(call.config.baseUrl, row, []).meta)
  return row
}

const stateOf = async (call: ScimCall, id: string) => {
  const { orgId } = call.scope
  await lockPeople(call, orgId)
  const row = await expectedRow(call, id)
  return { row, ids: (await membersOfGroups(call.tx, orgId, [id])).map((member) => member.id) }
}

export const replaceGroup = async (
  call: ScimCall,
  { id, body }: { readonly id: string; readonly body: Body },
): Promise<View> => {
  const { row, ids } = await stateOf(call, id)
  await change(call, row, new Set(ids), body)
  return getGroup(call, { id })
}

export const patchGroup = async (
  call: ScimCall,
  { id, operations }: { readonly id: string; readonly operations: readonly PatchOperation[] },
): Promise<void> => {
  const { row, ids } = await stateOf(call, id)
  const { displayName, externalId } = row
  const whole = { displayName, externalId, members: ids.map((value) => ({ value })) }
  await change(call, row, new Set(ids), checkedGroup(patched(whole, operations)))
}

export const removeGroup = async (call: ScimCall, id: string): Promise<void> => {
  await lockPeople(call, call.scope.orgId)
  await expectedRow(call, id)
  await deleteGroup(call.tx, call.scope.orgId, id)
  await note(call, 'scim.group_removed', id)
}
