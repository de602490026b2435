import type { Environment, Scope } from '../../../kernel/identity/scope.ts'
import { padded } from '../../../platform/db/padded-list.ts'
import type { Param, Reader, Tx } from '../../../platform/db/types.ts'

export type RowStatus = 'queued' | 'rendering' | 'ready' | 'failed' | 'expired' | 'erased'

/** A composition somebody asked for. From `finishedAt` on it describes the film that is there, whatever is rendered now. */
export interface CompositionRow {
  readonly id: string
  readonly sessionId: string
  readonly status: RowStatus
  /** The render that is wanted; one that finds another here has been replaced. */
  readonly renderId: string | null
  /** Which inputs there were when it was asked for, or when it began: see `inputsVersion`. */
  readonly wantedInputs: string | null
  /** Where a render that is running may have put bytes already. */
  readonly pendingKey: string | null
  readonly progressPermille: number
  readonly requestedAt: number
  readonly startedAt: number | null
  readonly failure: string | null
  readonly finishedAt: number | null
  readonly expiresAt: number | null
  readonly filmInputs: string | null
  readonly inputCount: number | null
  readonly inputsSha256: string | null
  readonly durationMs: number | null
  readonly width: number | null
  readonly height: number | null
  readonly sizeBytes: number | null
  readonly sha256: string | null
  readonly storeKey: string | null
  /** Null once it was removed or shredded. */
  readonly header: string | null
  readonly command: string | null
  readonly ffmpegVersion: string | null
  /** JSON. */
  readonly undecoded: string | null
}

const columns = `composition_id AS id, session_id AS "sessionId", status, render_id AS "renderId",
  wanted_inputs AS "wantedInputs", pending_key AS "pendingKey", progress_permille AS "progressPermille",
  requested_at AS "requestedAt", started_at AS "startedAt", failure, finished_at AS "finishedAt",
  expires_at AS "expiresAt", film_inputs AS "filmInputs", input_count AS "inputCount",
  inputs_sha256 AS "inputsSha256", duration_ms AS "durationMs", width, height, size_bytes AS "sizeBytes", sha256,
  store_key AS "storeKey", header, command, ffmpeg_version AS "ffmpegVersion", undecoded`

const own = 'org_id = ? AND environment = ? AND composition_id = ?'
const ownParams = (scope: Scope, id: string): Param[] => [scope.orgId, scope.environment, id]

export const findComposition = (reader: Reader, scope: Scope, id: string): Promise<CompositionRow | undefined> =>
  reader.get<CompositionRow>(`SELECT ${columns} FROM compositions WHERE ${own}`, ownParams(scope, id))

/** Reads the row and holds it until the commit. */
export const findCompositionForUpdate = (tx: Tx, scope: Scope, id: string): Promise<CompositionRow | undefined> =>
  tx.get<CompositionRow>(`SELECT ${columns} FROM compositions WHERE ${own}${tx.forUpdate}`, ownParams(scope, id))

/** JSON of the inputs; they can be thousands, so only the one read that shows them asks for them. */
export const findInputs = async (reader: Reader, scope: Scope, id: string): Promise<string | null> =>
  (await reader.get<{ inputs: string | null }>(`SELECT inputs FROM compositions WHERE ${own}`, ownParams(scope, id)))
    ?.inputs ?? null

export interface WantedRender {
  readonly id: string
  readonly sessionId: string
  readonly renderId: string
  readonly wantedInputs: string
  readonly requestedAt: number
}

/** Asks for a render; the film that is there stays. Call with the session locked. */
export const queueRender = async (tx: Tx, scope: Scope, wanted: WantedRender): Promise<void> => {
  await tx.run(
    `INSERT INTO compositions (org_id, environment, composition_id, session_id, status, render_id, wanted_inputs, requested_at)
     VALUES (?, ?, ?, ?, 'queued', ?, ?, ?)
     ON CONFLICT (org_id, composition_id) DO UPDATE
       SET status = 'queued', render_id = excluded.render_id, wanted_inputs = excluded.wanted_inputs,
           requested_at = excluded.requested_at, progress_permille = 0, started_at = NULL, failure = NULL`,
    [
      scope.orgId,
      scope.environment,
      wanted.id,
      wanted.sessionId,
      wanted.renderId,
      wanted.wantedInputs,
      wanted.requestedAt,
    ],
  )
}

/** A render as its job names it. */
export interface RenderRef {
  readonly compositionId: string
  readonly renderId: string
}
/** One run of it. A run that lost its lease to another one has nothing more to say. */
export interface RenderRun extends RenderRef {
  readonly storeKey: string
}

/** While it is still the one that is wanted. */
const whereWanted = (scope: Scope, render: RenderRef & Partial<RenderRun>) => ({
  sql: `${own} AND render_id = ? AND status IN ('queued', 'rendering')
    ${render.storeKey === undefined ? '' : 'AND pending_key = ?'}`,
  params: [
    ...ownParams(scope, render.compositionId),
    render.renderId,
    ...(render.storeKey === undefined ? [] : [render.storeKey]),
  ],
})

/** Every write of a render goes through here: true while it is still the one that is wanted. */
const updateWanted = async (
  tx: Tx,
  scope: Scope,
  render: RenderRef & Partial<RenderRun>,
  set: string,
  params: readonly Param[],
): Promise<boolean> => {
  const where = whereWanted(scope, render)
  const { changes } = await tx.run(`UPDATE compositions SET ${set} WHERE ${where.sql}`, [...params, ...where.params])
  return changes === 1
}

export const isWantedRun = async (reader: Reader, scope: Scope, run: RenderRun): Promise<boolean> => {
  const where = whereWanted(scope, run)
  return (await reader.get(`SELECT 1 AS wanted FROM compositions WHERE ${where.sql}`, where.params)) !== undefined
}

export const beginRender = (
  tx: Tx,
  scope: Scope,
  { compositionId, renderId, storeKey }: RenderRun,
  startedAt: number,
): Promise<boolean> => {
  const set = "status = 'rendering', progress_permille = 0, pending_key = ?, started_at = ?"
  return updateWanted(tx, scope, { compositionId, renderId }, set, [storeKey, startedAt])
}

/** Records the inputs of a composition once the renderer has listed them. */
export const noteInputs = (tx: Tx, scope: Scope, render: RenderRun, wantedInputs: string): Promise<boolean> =>
  updateWanted(tx, scope, render, 'wanted_inputs = ?', [wantedInputs])

export const noteProgress = (tx: Tx, scope: Scope, render: RenderRun, permille: number): Promise<boolean> =>
  updateWanted(tx, scope, render, 'progress_permille = ?', [permille])

/** `render` without a run: it failed before this run began. */
export const failRender = (
  tx: Tx,
  scope: Scope,
  render: RenderRef & Partial<RenderRun>,
  failure: string,
): Promise<boolean> => updateWanted(tx, scope, render, "status = 'failed', pending_key = NULL, failure = ?", [failure])

export interface FinishedFilm {
  readonly finishedAt: number
  readonly expiresAt: number
  readonly filmInputs: string
  readonly inputCount: number
  readonly inputsSha256: string
  /** JSON. */
  readonly inputs: string
  readonly durationMs: number
  readonly width: number
  readonly height: number
  readonly sizeBytes: number
  readonly sha256: string
  readonly header: string
  readonly command: string
  readonly ffmpegVersion: string
  /** JSON. */
  readonly undecoded: string
}

export const finishRender = (tx: Tx, scope: Scope, render: RenderRun, film: FinishedFilm): Promise<boolean> =>
  updateWanted(
    tx,
    scope,
    render,
    `status = 'ready', render_id = NULL, pending_key = NULL, progress_permille = 1000, finished_at = ?, expires_at = ?,
     film_inputs = ?, input_count = ?, inputs_sha256 = ?, inputs = ?, duration_ms = ?, width = ?, height = ?,
     size_bytes = ?, sha256 = ?, store_key = ?, header = ?, command = ?, ffmpeg_version = ?,
     undecoded = ?`,
    [
      film.finishedAt,
      film.expiresAt,
      film.filmInputs,
      film.inputCount,
      film.inputsSha256,
      film.inputs,
      film.durationMs,
      film.width,
      film.height,
      film.sizeBytes,
      film.sha256,
      render.storeKey,
      film.header,
      film.command,
      film.ffmpegVersion,
      film.undecoded,
    ],
  )

/** Shreds the film and forgets what it was made of; a render that runs finds itself unwanted. */
export const eraseRow = async (tx: Tx, scope: Scope, id: string): Promise<void> => {
  await tx.run(
    `UPDATE compositions SET status = 'erased', render_id = NULL, wanted_inputs = NULL, pending_key = NULL,
       failure = NULL, film_inputs = NULL, input_count = NULL, inputs_sha256 = NULL, inputs = NULL, sha256 = NULL,
       store_key = NULL, header = NULL, command = NULL, ffmpeg_version = NULL, size_bytes = NULL, duration_ms = NULL,
       width = NULL, height = NULL, undecoded = NULL, finished_at = NULL, expires_at = NULL WHERE ${own}`,
    ownParams(scope, id),
  )
}

/** Takes the film away; its integrity metadata stays, so that a copy made before can still be compared. */
export const removeFilm = async (tx: Tx, scope: Scope, id: string): Promise<void> => {
  await tx.run(
    `UPDATE compositions SET header = NULL, store_key = NULL,
       status = CASE WHEN status = 'ready' THEN 'expired' ELSE status END WHERE ${own}`,
    ownParams(scope, id),
  )
}

export const listExpiredFilmsAcrossOrgs = (
  reader: Reader,
  now: number,
  limit: number,
): Promise<{ orgId: string; environment: Environment; id: string }[]> =>
  reader.all(
    `SELECT c.org_id AS "orgId", c.environment, composition_id AS id
     FROM compositions c JOIN sessions s ON s.org_id = c.org_id AND s.session_id = c.session_id
     WHERE header IS NOT NULL AND expires_at <= ? AND s.legal_hold = 0
       AND NOT EXISTS (SELECT 1 FROM retention_rules r WHERE r.org_id = c.org_id AND r.held = 1)
     ORDER BY expires_at LIMIT ?`,
    [now, limit],
  )

/** The keys at which an organisation's compositions have bytes, or may have them while a render runs, in either environment. */
export const filmKeysOf = async (
  reader: Reader,
  orgId: string,
  compositionIds: readonly string[],
): Promise<(string | null)[]> => {
  const { marks, values } = padded(compositionIds)
  const sql = `SELECT store_key AS kept, pending_key AS pending FROM compositions
    WHERE org_id = ? AND composition_id IN (${marks})`
  const rows = await reader.all<{ kept: string | null; pending: string | null }>(sql, [orgId, ...values])
  return rows.flatMap(({ kept, pending }) => [kept, pending])
}
