import type { Migration, MigrationHelpers } from '../platform/db/migrate.ts'

interface Index {
  readonly name: string
  readonly table: string
  readonly columns: readonly string[]
  readonly where?: string
}

/** What a list is read by: first what its filters ask for, then its order. */
const made: readonly Index[] = [
  { name: 'events_session_type', table: 'events', columns: ['org_id', 'environment', 'session_id', 'type', 'seq'] },
  { name: 'sessions_listed', table: 'sessions', columns: ['org_id', 'environment', 'created_at', 'position'] },
  {
    name: 'sessions_in_state',
    table: 'sessions',
    columns: ['org_id', 'environment', 'state', 'created_at', 'position'],
  },
  {
    name: 'sessions_provisioned_in_state',
    table: 'sessions',
    columns: ['org_id', 'environment', 'provisioned_id', 'state', 'created_at', 'position'],
  },
  {
    name: 'sessions_external',
    table: 'sessions',
    columns: ['org_id', 'environment', 'external_id', 'created_at', 'position'],
    where: 'external_id IS NOT NULL',
  },
  {
    name: 'webhook_deliveries_in_status',
    table: 'webhook_deliveries',
    columns: ['org_id', 'endpoint_id', 'status', 'event_type', 'position'],
  },
  {
    name: 'webhook_endpoints_living',
    table: 'webhook_endpoints',
    columns: ['org_id', 'environment', 'created_at', 'endpoint_id'],
    where: 'deleted_at IS NULL',
  },
  { name: 'api_keys_listed', table: 'api_keys', columns: ['org_id', 'environment', 'created_at', 'key_id'] },
  {
    name: 'candidate_requests_in_status',
    table: 'candidate_requests',
    columns: ['org_id', 'environment', 'status', 'kind', 'created_at', 'request_id'],
  },
  {
    name: 'candidate_requests_in_time',
    table: 'candidate_requests',
    columns: ['org_id', 'environment', 'created_at', 'request_id'],
  },
  {
    name: 'integrity_events_observed',
    table: 'integrity_events',
    columns: ['org_id', 'session_id', 'observed_at', 'position'],
  },
  {
    name: 'evidence_playback',
    table: 'evidence',
    columns: ['org_id', 'session_id', 'evidence_type', 'captured_at', 'position'],
  },
  {
    name: 'evidence_kept',
    table: 'evidence',
    columns: ['org_id', 'session_id', 'evidence_type', 'captured_at', 'position'],
    where: 'erased_at IS NULL',
  },
  {
    name: 'transcript_spoken',
    table: 'transcript_segments',
    columns: ['org_id', 'session_id', 'start_ms', 'sequence', 'segment_id'],
  },
]

/** A longer one does their work. */
const replaced: readonly Index[] = [
  { name: 'sessions_created', table: 'sessions', columns: ['org_id', 'environment', 'created_at'] },
  { name: 'sessions_state', table: 'sessions', columns: ['org_id', 'environment', 'state', 'position'] },
  { name: 'sessions_provisioned', table: 'sessions', columns: ['org_id', 'environment', 'provisioned_id', 'position'] },
  {
    name: 'webhook_endpoints_environment',
    table: 'webhook_endpoints',
    columns: ['org_id', 'environment', 'created_at'],
  },
  { name: 'candidate_requests_listed', table: 'candidate_requests', columns: ['org_id', 'environment', 'created_at'] },
  { name: 'evidence_captured', table: 'evidence', columns: ['org_id', 'session_id', 'evidence_type', 'captured_at'] },
  { name: 'transcript_order', table: 'transcript_segments', columns: ['org_id', 'session_id', 'start_ms', 'sequence'] },
]

const create = async (h: MigrationHelpers, indexes: readonly Index[]): Promise<void> => {
  for (const { name, table, columns, where } of indexes)
    await h.sql(`create index "${name}" on "${table}" ("${columns.join('", "')}")${where ? ` WHERE ${where}` : ''}`)
}
const drop = async (h: MigrationHelpers, indexes: readonly Index[]): Promise<void> => {
  for (const { name } of indexes) await h.sql(`DROP INDEX ${name}`)
}

/** Every list, by every filter, is read where its page lies. */
export const listIndexes: Migration = {
  name: '0220-list-indexes',
  async up(h) {
    await create(h, made)
    await drop(h, replaced)
  },
  async down(h) {
    await create(h, replaced)
    await drop(h, made)
  },
}
