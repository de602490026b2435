import {
  invalid,
  maxActivePolicies,
  maxPolicyVersions,
  nameOfCopy,
  notFound,
  policyStates,
  ServiceError,
  type SessionConfigPatch,
  sessionConfig,
} from '@integrity/protocol'
import type { By, Needs } from '../../../kernel/call.ts'
import type { ActorOf } from '../../../kernel/identity/actor.ts'
import { type List, type PageQuery, readPage } from '../../../kernel/paging.ts'
import { checkSeen } from '../../../kernel/seen.ts'
import {
  countActiveForUpdate,
  countPolicies,
  findPolicy,
  findPolicyForUpdate,
  insertPolicy,
  insertVersion,
  listVersions,
  pageOfPolicies,
  updatePolicy,
} from './session-policies.store.ts'
import type { Author, PolicyRow } from './session-policies.types.ts'

type Change = By<ActorOf<'user'>> & Needs<'audit' | 'clock' | 'reader' | 'tx'>
const conflict = (message: string) => new ServiceError('conflict', message)

const found = (policy: PolicyRow | undefined): PolicyRow => {
  if (!policy) throw notFound('policy')
  return policy
}
const getPolicy = async (call: Needs<'reader'>, orgId: string, id: string): Promise<PolicyRow> =>
  found(await findPolicy(call.reader, orgId, id))

export const readPolicy = async (
  call: Needs<'reader'>,
  { orgId, id }: { readonly orgId: string; readonly id: string },
) => ({
  policy: await getPolicy(call, orgId, id),
  versions: await listVersions(call.reader, orgId, id),
})

/** A page of policies, newest first, and how many there are. */
export const listPolicies = async (
  { reader }: Needs<'reader'>,
  {
    orgId,
    query,
  }: { readonly orgId: string; readonly query: PageQuery & { readonly state: PolicyRow['state'] | 'all' } },
) => {
  const states = query.state === 'all' ? policyStates : [query.state]
  const list: List<PolicyRow> = {
    of: ['session-policies', orgId, states],
    kinds: ['number', 'string'],
    keyOf: ({ createdAt, id }) => [createdAt, id],
    fetch: (stretch) => pageOfPolicies(reader, orgId, states, stretch),
  }
  return { page: await readPage(list, query), total: await countPolicies(reader, orgId, states) }
}

/** All active ones, as their newest versions have them: `maxActivePolicies` at most. */
export const activePolicies = ({ reader }: Needs<'reader'>, orgId: string): Promise<PolicyRow[]> =>
  pageOfPolicies(reader, orgId, ['active'], { after: undefined, skip: 0, take: maxActivePolicies })

const authorOf = ({ kind, id, email }: ActorOf<'user'>): Author => ({ kind, id, label: email })

interface NewPolicy {
  readonly name: string
  readonly description?: string | null | undefined
  readonly config: SessionConfigPatch
}

interface CreatePolicyInput {
  readonly input: NewPolicy
  readonly copiedFrom?: { readonly policyId: string; readonly version: number } | undefined
}

/** `copiedFrom` says of a duplicate what it is a copy of. */
export const createPolicy = async (
  call: Change & Needs<'newId'>,
  { input, copiedFrom }: CreatePolicyInput,
): Promise<PolicyRow> => {
  const { tx, actor } = call
  const { orgId } = actor
  if ((await countActiveForUpdate(tx, orgId)) >= maxActivePolicies)
    throw conflict(`there are ${maxActivePolicies} active policies already; archive one first`)
  const id = call.newId('pol')
  const config = sessionConfig.parse(input.config)
  const { name } = input
  const description = input.description || null
  await insertPolicy(tx, orgId, { id, name, description, config, author: authorOf(actor) }, call.clock.now())
  await call.audit.append(
    { tx, scope: { orgId }, actor },
    { action: 'policy.created', target: id, payload: { name, config, ...(copiedFrom && { copiedFrom }) } },
  )
  return getPolicy(call, orgId, id)
}

/** A policy that may change, held until the commit. */
const lockActive = async ({ tx, actor }: Change, id: string): Promise<PolicyRow> => {
  const policy = found(await findPolicyForUpdate(tx, actor.orgId, id))
  if (policy.state === 'archived')
    throw conflict('this policy is archived and can no longer change; duplicate it and change the duplicate')
  return policy
}

interface ChangePolicyInput {
  readonly id: string
  readonly change: {
    readonly name?: string | undefined
    readonly description?: string | null | undefined
    readonly expectedVersion?: number | undefined
  }
}

export const changePolicy = async (
  call: Change,
  { id, change: { name, description, expectedVersion } }: ChangePolicyInput,
): Promise<PolicyRow> => {
  const { tx, actor } = call
  const { orgId } = actor
  const before = await lockActive(call, id)
  checkSeen({ version: before.nameVersion }, expectedVersion)
  const after = {
    ...before,
    name: name ?? before.name,
    description: description === undefined ? before.description : description || null,
  }
  const changed = after.name !== before.name || after.description !== before.description
  const nameVersion = before.nameVersion + 1
  if (changed) await updatePolicy(tx, orgId, { ...after, nameVersion, updatedAt: call.clock.now() })
  await call.audit.append(
    { tx, scope: { orgId }, actor },
    { action: 'policy.changed', target: id, payload: { name, description, changed } },
  )
  return getPolicy(call, orgId, id)
}

interface WriteVersionInput {
  readonly id: string
  readonly input: { readonly config: SessionConfigPatch; readonly expectedVersion?: number | undefined }
}

/** Two writers of the next version wait for each other here: the second finds another one than it expected. */
export const writeVersion = async (call: Change, { id, input }: WriteVersionInput): Promise<PolicyRow> => {
  const { tx, actor } = call
  const { orgId } = actor
  const before = await lockActive(call, id)
  const words = `the latest version is ${before.version}, not ${input.expectedVersion}; read it before you write the next`
  checkSeen({ version: before.version, words }, input.expectedVersion)
  if (before.version >= maxPolicyVersions)
    throw conflict(`a policy has ${maxPolicyVersions} versions at most; duplicate it and continue there`)
  const now = call.clock.now()
  const version = before.version + 1
  const config = sessionConfig.parse(input.config)
  await insertVersion(tx, orgId, { id, version, config, author: authorOf(actor) }, now)
  await updatePolicy(tx, orgId, { ...before, version, updatedAt: now })
  await call.audit.append(
    { tx, scope: { orgId }, actor },
    { action: 'policy.version_written', target: id, payload: { version, config } },
  )
  return getPolicy(call, orgId, id)
}

/** The latest version under a name of its own. */
export const duplicatePolicy = async (
  call: Change & Needs<'newId'>,
  { id, name }: { readonly id: string; readonly name: string | undefined },
): Promise<PolicyRow> => {
  const { version, ...policy } = await getPolicy(call, call.actor.orgId, id)
  return createPolicy(call, {
    input: { ...policy, name: name ?? nameOfCopy(policy.name) },
    copiedFrom: { policyId: id, version },
  })
}

/** Archives once; archiving again changes nothing and answers the same. */
export const archivePolicy = async (
  call: Change,
  { id, reason }: { readonly id: string; readonly reason: string | undefined },
): Promise<PolicyRow> => {
  const { tx, actor } = call
  const { orgId } = actor
  const before = found(await findPolicyForUpdate(tx, orgId, id))
  const again = before.state === 'archived'
  const now = call.clock.now()
  if (!again) await updatePolicy(tx, orgId, { ...before, state: 'archived', updatedAt: now, archivedAt: now })
  await call.audit.append(
    { tx, scope: { orgId }, actor },
    { action: 'policy.archived', target: id, payload: { reason, again } },
  )
  return getPolicy(call, orgId, id)
}

/** What a new session is made with, held until it is there: one that is archived meanwhile makes none. */
export const policyForSession = async (
  { tx, scope }: Needs<'tx' | 'scope'>,
  id: string,
): Promise<Pick<PolicyRow, 'id' | 'version' | 'config'>> => {
  const policy = await findPolicyForUpdate(tx, scope.orgId, id)
  if (!policy) throw invalid('policyId', 'names no policy of this organisation')
  if (policy.state === 'archived') throw conflict('this policy is archived; choose another or a duplicate of it')
  return policy
}

/** Whether the latest version of a policy shows base rates: it is about showing, so that it counts for older sessions too. */
export const showsBaseRates = async ({ reader, scope }: Needs<'reader' | 'scope'>, id: string): Promise<boolean> =>
  (await findPolicy(reader, scope.orgId, id))?.config.baseRates ?? false
