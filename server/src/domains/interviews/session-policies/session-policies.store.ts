import { type SessionConfig, sessionConfig } from '@integrity/protocol'
import { lockHead } from '../../../kernel/audit/audit.store.ts'
import type { Stretch } from '../../../kernel/paging.ts'
import { merged, type Slice } from '../../../platform/db/merged.ts'
import type { Reader, Tx } from '../../../platform/db/types.ts'
import type { Author, PolicyRow, PolicyVersionRow } from './session-policies.types.ts'

/** Policies are of both environments: the organisation is the whole scope. */
interface RawAuthor {
  readonly authorKind: string
  readonly authorId: string
  readonly authorLabel: string | null
}
type RawPolicy = Omit<PolicyRow, 'config' | 'createdBy'> & RawAuthor & { readonly config: string }
type RawVersion = Omit<PolicyVersionRow, 'config' | 'createdBy'> & RawAuthor & { readonly config: string }

const authorOf = ({ authorKind, authorId, authorLabel }: RawAuthor): Author => ({
  kind: authorKind,
  id: authorId,
  label: authorLabel,
})
const configOf = (text: string): SessionConfig => sessionConfig.parse(JSON.parse(text))

const policyOf = (raw: RawPolicy): PolicyRow => {
  const { authorKind: _, authorId: __, authorLabel: ___, ...policy } = raw
  return { ...policy, config: configOf(raw.config), createdBy: authorOf(raw) }
}
const versionOf = (raw: RawVersion): PolicyVersionRow => ({
  version: raw.version,
  config: configOf(raw.config),
  createdAt: raw.createdAt,
  createdBy: authorOf(raw),
})

const authorColumns = (table: string): string =>
  ['kind', 'id', 'label']
    .map((name) => `${table}.created_by_${name} AS "author${name[0]?.toUpperCase()}${name.slice(1)}"`)
    .join(', ')
const columns = `p.policy_id AS id, p.name, p.description, p.state, p.version, p.name_version AS "nameVersion", v.config, p.created_at AS "createdAt",
  ${authorColumns('p')}, p.updated_at AS "updatedAt", p.archived_at AS "archivedAt"`
const withLatest = `session_policies p JOIN session_policy_versions v
  ON v.org_id = p.org_id AND v.policy_id = p.policy_id AND v.version = p.version`

export const findPolicy = async (reader: Reader, orgId: string, id: string): Promise<PolicyRow | undefined> => {
  const sql = `SELECT ${columns} FROM ${withLatest} WHERE p.org_id = ? AND p.policy_id = ?`
  const raw = await reader.get<RawPolicy>(sql, [orgId, id])
  return raw && policyOf(raw)
}

/** The policy, unchanged by anybody else until the commit. */
export const findPolicyForUpdate = async (tx: Tx, orgId: string, id: string): Promise<PolicyRow | undefined> => {
  const sql = `SELECT version FROM session_policies WHERE org_id = ? AND policy_id = ?${tx.forUpdate}`
  // A statement of its own, after the lock: in the same one Postgres would join the version from before the wait.
  const there = await tx.get<object>(sql, [orgId, id])
  return there && findPolicy(tx, orgId, id)
}

export const listVersions = async (reader: Reader, orgId: string, id: string): Promise<PolicyVersionRow[]> => {
  const rows = await reader.all<RawVersion>(
    `SELECT v.version, v.config, v.created_at AS "createdAt", ${authorColumns('v')}
     FROM session_policy_versions v WHERE v.org_id = ? AND v.policy_id = ? ORDER BY v.version DESC`,
    [orgId, id],
  )
  return rows.map(versionOf)
}

type States = readonly PolicyRow['state'][]
const inState = (orgId: string, state: string): Slice => ({
  sql: 'FROM session_policies WHERE org_id = ? AND state = ?',
  params: [orgId, state],
})

/** Newest first. */
export const pageOfPolicies = async (
  reader: Reader,
  orgId: string,
  states: States,
  { after, skip, take }: Stretch,
): Promise<PolicyRow[]> => {
  const slices = states.map((state): Slice => {
    const { sql, params } = inState(orgId, state)
    return {
      sql: `SELECT created_at, policy_id ${sql} ${after ? 'AND (created_at, policy_id) < (?, ?)' : ''}`,
      params: [...params, ...(after ?? [])],
    }
  })
  const { sql, params } = merged(slices, 'created_at DESC, policy_id DESC', { skip, take })
  const rows = await reader.all<RawPolicy>(
    `SELECT ${columns} FROM ${withLatest} WHERE p.org_id = ? AND p.policy_id IN (SELECT policy_id FROM (${sql}) AS places)
     ORDER BY p.created_at DESC, p.policy_id DESC`,
    [orgId, ...params],
  )
  return rows.map(policyOf)
}

export const countPolicies = async (reader: Reader, orgId: string, states: States): Promise<number> => {
  let total = 0
  for (const state of states) {
    const { sql, params } = inState(orgId, state)
    total += (await reader.get<{ n: number }>(`SELECT count(*) AS n ${sql}`, params))?.n ?? 0
  }
  return total
}

/** The number of active policies; locked, so that nobody adds one until the commit. */
export const countActiveForUpdate = async (tx: Tx, orgId: string): Promise<number> => {
  await lockHead(tx, orgId)
  return countPolicies(tx, orgId, ['active'])
}

export interface NewVersion {
  readonly id: string
  readonly version: number
  readonly config: SessionConfig
  readonly author: Author
}

export const insertVersion = async (tx: Tx, orgId: string, written: NewVersion, now: number): Promise<void> => {
  const { kind, id, label } = written.author
  await tx.run(
    `INSERT INTO session_policy_versions (org_id, policy_id, version, config, created_at, created_by_kind, created_by_id,
       created_by_label) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    [orgId, written.id, written.version, JSON.stringify(written.config), now, kind, id, label],
  )
}

export const insertPolicy = async (
  tx: Tx,
  orgId: string,
  policy: Pick<PolicyRow, 'id' | 'name' | 'description' | 'config'> & { readonly author: Author },
  now: number,
): Promise<void> => {
  const { kind, id, label } = policy.author
  await tx.run(
    `INSERT INTO session_policies (org_id, policy_id, name, description, state, version, created_at, created_by_kind,
       created_by_id, created_by_label, updated_at) VALUES (?, ?, ?, ?, 'active', 1, ?, ?, ?, ?, ?)`,
    [orgId, policy.id, policy.name, policy.description, now, kind, id, label, now],
  )
  await insertVersion(tx, orgId, { ...policy, version: 1 }, now)
}

/** Writes what may change of a locked policy. */
export const updatePolicy = async (
  tx: Tx,
  orgId: string,
  policy: Omit<PolicyRow, 'config' | 'createdAt' | 'createdBy'>,
): Promise<void> => {
  await tx.run(
    `UPDATE session_policies SET name = ?, description = ?, name_version = ?, state = ?, version = ?, updated_at = ?,
       archived_at = ?
     WHERE org_id = ? AND policy_id = ?`,
    [
      ...[policy.name, policy.description, policy.nameVersion, policy.state, policy.version, policy.updatedAt],
      ...[policy.archivedAt, orgId, policy.id],
    ],
  )
}
