import { createIds } from '../src/platform/ids.ts'

/** Time-ordered, as our agent makes them: random ones halve the insert rate of both sides. */
const newId = createIds(() => Date.now())
export const agents = 16

const makeEvent = (n: number) => ({
  clientId: newId('c'),
  kind: 'foreground.changed',
  observedAt: new Date().toISOString(),
  monotonicMs: n * 17,
  source: 'foreground',
  data: { observerVersion: '1', method: 'xprop', value: `Application ${n % 40}`, baseline: 'Terminal' },
})
export type Event = ReturnType<typeof makeEvent>

export const makeBatches = (count: number, size: number): Event[][] =>
  Array.from({ length: count }, (_b, b) => Array.from({ length: size }, (_e, e) => makeEvent(b * size + e)))

/** The table and index of migration 0030, for the baselines. */
export const plainTable = `CREATE TABLE integrity_events (
  org_id text NOT NULL, session_id text NOT NULL, position bigint NOT NULL, event_id text NOT NULL,
  client_id text NOT NULL, kind text NOT NULL, observed_at bigint NOT NULL, monotonic_ms double precision,
  source text NOT NULL, data text NOT NULL, received_at bigint NOT NULL,
  PRIMARY KEY (org_id, session_id, position))`
export const plainIndex = 'CREATE UNIQUE INDEX by_client ON integrity_events (org_id, client_id, session_id)'
export const plainColumns = [
  'org_id',
  'session_id',
  'position',
  'event_id',
  'client_id',
  'kind',
  'observed_at',
  'monotonic_ms',
  'source',
  'data',
  'received_at',
] as const
/** Of these columns, on Postgres. */
export const plainTypes = plainColumns.map((name) => {
  if (name === 'monotonic_ms') return 'double precision'
  return ['position', 'observed_at', 'received_at'].includes(name) ? 'bigint' : 'text'
})
export type PlainRow = (string | number)[]

/** Turns batches into rows as the service stores them: ids of full length, one session for each agent. */
export const plainRows = () => {
  const orgId = newId('org')
  const sessions = Array.from({ length: agents }, () => ({ id: newId('ses'), position: 0 }))
  return (batch: readonly Event[], agent: number): PlainRow[] => {
    const session = sessions[agent] as { id: string; position: number }
    return batch.map((e) => [
      orgId,
      session.id,
      ++session.position,
      newId('obs'),
      e.clientId,
      e.kind,
      Date.parse(e.observedAt),
      e.monotonicMs,
      e.source,
      JSON.stringify(e.data),
      Date.now(),
    ])
  }
}
