import type { EvidenceType } from '@integrity/protocol'
import type { ShownSession } from '../../interviews/sessions/sessions.types.ts'
import { filmIsThere } from './compositions.policy.ts'
import type { CompositionRow } from './compositions.store.ts'

const isoOrNull = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString())

/** As `inputs` keeps them. */
export interface InputEntry {
  readonly evidenceId: string
  readonly evidenceType: EvidenceType
  readonly sha256: string
  readonly capturedAt: string
}

/** As `undecoded` keeps them. */
export interface UndecodedEntry {
  readonly evidenceId: string
  readonly atMs: number
  readonly kind: 'still' | 'clip' | 'sound'
}

export interface ViewFacts {
  readonly id: string
  readonly session: Pick<ShownSession, 'id' | 'erasedAt' | 'legalHold'>
  readonly row: CompositionRow | undefined
  /** The inputs there are now, as `inputsVersion` names them. */
  readonly version: string
  readonly now: number
}

const statusOf = ({ session, row, now }: ViewFacts) => {
  if (session.erasedAt !== null) return 'erased' as const
  if (!row) return 'not_rendered' as const
  // Its hour has come, though the job that takes it away has not.
  return row.status === 'ready' && !filmIsThere(row, session, now) ? ('expired' as const) : row.status
}

const integrityOf = (row: CompositionRow | undefined) => {
  if (!row || row.inputCount === null || row.inputsSha256 === null || row.sha256 === null) return null
  const { inputCount, inputsSha256, command, ffmpegVersion, sha256 } = row
  return { inputCount, inputsSha256, command: command ?? '', ffmpegVersion: ffmpegVersion ?? '', outputSha256: sha256 }
}

/** One shape for lists, single compositions and answers to a request. What nobody asked for has a virtual row. */
export const compositionView = (facts: ViewFacts) => {
  const { id, session, row, version, now } = facts
  const film = session.erasedAt === null ? row : undefined
  return {
    id,
    sessionId: session.id,
    kind: 'picture_in_picture' as const,
    status: statusOf(facts),
    progress: film ? film.progressPermille / 1000 : 0,
    stale: film !== undefined && filmIsThere(film, session, now) && film.filmInputs !== version,
    requestedAt: isoOrNull(row?.requestedAt ?? null),
    startedAt: isoOrNull(row?.startedAt ?? null),
    finishedAt: isoOrNull(film?.finishedAt ?? null),
    expiresAt: isoOrNull(film?.expiresAt ?? null),
    contentType: 'video/mp4' as const,
    durationMs: film?.durationMs ?? null,
    width: film?.width ?? null,
    height: film?.height ?? null,
    sizeBytes: film?.sizeBytes ?? null,
    integrity: integrityOf(film),
    undecoded: JSON.parse(film?.undecoded ?? '[]') as UndecodedEntry[],
    failure: film?.failure ?? null,
  }
}
export type CompositionView = ReturnType<typeof compositionView>

/** `inputs` is the JSON that the row keeps; null where there is no film. */
export const compositionDetailView = (facts: ViewFacts, inputs: string | null) => ({
  ...compositionView(facts),
  inputs: inputs === null ? [] : (JSON.parse(inputs) as InputEntry[]),
})
