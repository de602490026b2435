import type { Scope } from '../../../kernel/identity/scope.ts'
import type { ColumnSpec, Reader, Tx } from '../../../platform/db/types.ts'
import type { PhoneEvent, RecordingState } from './presence.model.ts'

export interface CompanionRow {
  readonly id: string
  readonly sessionId: string
  readonly credentialId: string
  readonly device: Record<string, string> | null
  readonly pairedAt: number
  readonly endedAt: number | null
  readonly steps: { step: 'height' | 'angle' | 'screen_visible' | 'hands_visible'; confirmed: boolean }[]
  readonly placedAt: number | null
  readonly photoEvidenceId: string | null
  readonly recording: RecordingState
  readonly interruptedAt: number | null
  /** The newest beat by the phone's own clock. */
  readonly lastBeatAt: number | null
  readonly lastBeat: StoredBeat | null
  /** When the service last heard of it. */
  readonly lastContactAt: number | null
  /** What changed and has not been published yet. */
  readonly untold: readonly PhoneEvent[]
}
export interface StoredBeat {
  readonly battery?: number | null
  readonly charging?: boolean | null
  readonly network?: string | null
  readonly orientation?: string | null
  readonly foreground?: boolean | null
}
type Raw = Omit<CompanionRow, 'device' | 'steps' | 'lastBeat' | 'untold'> & {
  device: string | null
  steps: string
  lastBeat: string | null
  untold: string | null
}

const columns = `companion_id AS id, session_id AS "sessionId", credential_id AS "credentialId", device,
  paired_at AS "pairedAt", ended_at AS "endedAt", steps, placed_at AS "placedAt",
  photo_evidence_id AS "photoEvidenceId", recording, interrupted_at AS "interruptedAt",
  last_beat_at AS "lastBeatAt", last_beat AS "lastBeat", last_contact_at AS "lastContactAt", untold`
const parse = <T>(text: string | null): T | null => (text === null ? null : (JSON.parse(text) as T))
const fromRaw = (raw: Raw): CompanionRow => ({
  ...raw,
  device: parse(raw.device),
  steps: JSON.parse(raw.steps) as CompanionRow['steps'],
  lastBeat: parse(raw.lastBeat),
  untold: parse(raw.untold) ?? [],
})
const ids = (scope: Scope): string[] => [scope.orgId, scope.environment]

/** The phone that was paired last, whether or not it was let go. */
export const findNewest = async (
  reader: Reader,
  scope: Scope,
  sessionId: string,
): Promise<CompanionRow | undefined> => {
  const raw = await reader.get<Raw>(
    `SELECT ${columns} FROM companions WHERE org_id = ? AND environment = ? AND session_id = ?
     ORDER BY paired_at DESC, companion_id DESC LIMIT 1`,
    [...ids(scope), sessionId],
  )
  return raw && fromRaw(raw)
}

export const findByCredential = async (
  reader: Reader,
  scope: Scope,
  sessionId: string,
  credentialId: string,
): Promise<CompanionRow | undefined> => {
  const raw = await reader.get<Raw>(
    `SELECT ${columns} FROM companions WHERE org_id = ? AND environment = ? AND session_id = ? AND credential_id = ?`,
    [...ids(scope), sessionId, credentialId],
  )
  return raw && fromRaw(raw)
}

export const findCompanion = async (reader: Reader, scope: Scope, id: string): Promise<CompanionRow | undefined> => {
  const raw = await reader.get<Raw>(
    `SELECT ${columns} FROM companions WHERE org_id = ? AND environment = ? AND companion_id = ?`,
    [...ids(scope), id],
  )
  return raw && fromRaw(raw)
}

export const insertCompanion = async (
  tx: Tx,
  scope: Scope,
  companion: { id: string; sessionId: string; credentialId: string; device: object | undefined; now: number },
): Promise<void> => {
  const { id, sessionId, credentialId, device, now } = companion
  await tx.run(
    `INSERT INTO companions (org_id, environment, companion_id, session_id, credential_id, device, paired_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
    [...ids(scope), id, sessionId, credentialId, device ? JSON.stringify(device) : null, now],
  )
}

const updatable = {
  endedAt: 'ended_at',
  endReason: 'end_reason',
  steps: 'steps',
  placedAt: 'placed_at',
  photoEvidenceId: 'photo_evidence_id',
  recording: 'recording',
  interruptedAt: 'interrupted_at',
  lastBeatAt: 'last_beat_at',
  lastBeat: 'last_beat',
  lastContactAt: 'last_contact_at',
  untold: 'untold',
} as const
export type CompanionChanges = { readonly [K in keyof typeof updatable]?: string | number | null }

export const updateCompanion = async (tx: Tx, scope: Scope, id: string, changes: CompanionChanges): Promise<void> => {
  const names = Object.keys(changes) as (keyof CompanionChanges)[]
  const set = names.map((name) => `${updatable[name]} = ?`).join(', ')
  await tx.run(`UPDATE companions SET ${set} WHERE org_id = ? AND environment = ? AND companion_id = ?`, [
    ...names.map((name) => changes[name] ?? null),
    ...ids(scope),
    id,
  ])
}

const beatColumns: readonly ColumnSpec[] = [
  { name: 'org_id', type: 'text' },
  { name: 'companion_id', type: 'text' },
  { name: 'client_id', type: 'text' },
  { name: 'at', type: 'bigint' },
  { name: 'beat', type: 'text' },
  { name: 'received_at', type: 'bigint' },
]
const oncePerClientId = {
  skipConflictsOn: ['org_id', 'companion_id', 'client_id'],
  returning: ['client_id'],
} as const

export interface NewBeat {
  readonly clientId: string
  readonly at: number
  /** JSON text. */
  readonly beat: string
}

/** Stores beats once for each clientId; answers the ids that were new. */
export const insertBeats = async (
  tx: Tx,
  scope: Scope,
  companionId: string,
  beats: readonly NewBeat[],
  now: number,
): Promise<Set<string>> => {
  const rows = beats.map((b) => [scope.orgId, companionId, b.clientId, b.at, b.beat, now])
  const added = await tx.insertMany<{ client_id: string }>('presence_beats', beatColumns, rows, oncePerClientId)
  return new Set(added.map((row) => row.client_id))
}

export const listPhones = (
  reader: Reader,
  scope: Scope,
  sessionId: string,
): Promise<{ id: string; pairedAt: number; endedAt: number | null }[]> =>
  reader.all(
    `SELECT companion_id AS id, paired_at AS "pairedAt", ended_at AS "endedAt" FROM companions
     WHERE org_id = ? AND environment = ? AND session_id = ? ORDER BY paired_at, companion_id`,
    [...ids(scope), sessionId],
  )

/** The beats of all phones of a session, in the order of their own time; `beat` is JSON text. */
export const listBeats = (
  reader: Reader,
  scope: Scope,
  sessionId: string,
): Promise<{ companionId: string; at: number; beat: string }[]> =>
  reader.all(
    `SELECT b.companion_id AS "companionId", b.at, b.beat FROM presence_beats b
     JOIN companions c ON c.org_id = b.org_id AND c.companion_id = b.companion_id
     WHERE c.org_id = ? AND c.environment = ? AND c.session_id = ? ORDER BY b.at, b.client_id`,
    [...ids(scope), sessionId],
  )

export const deletePresence = async (tx: Tx, scope: Scope, sessionId: string): Promise<void> => {
  const where = 'org_id = ? AND environment = ? AND session_id = ?'
  await tx.run(
    `DELETE FROM presence_beats WHERE org_id = ? AND companion_id IN (SELECT companion_id FROM companions WHERE ${where})`,
    [scope.orgId, ...ids(scope), sessionId],
  )
  await tx.run(`UPDATE companions SET device = NULL, last_beat = NULL, steps = '[]', untold = NULL WHERE ${where}`, [
    ...ids(scope),
    sessionId,
  ])
}
