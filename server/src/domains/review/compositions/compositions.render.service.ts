import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { compositionFrame, compositionLifetimeDays } from '@integrity/protocol'
import { inTx, type Needs, type Reads } from '../../../kernel/call.ts'
import { system } from '../../../kernel/identity/actor.ts'
import type { Scope } from '../../../kernel/identity/scope.ts'
import { CommitFailed } from '../../../platform/db/errors.ts'
import type { FfmpegProgram, RenderedFilm } from '../../../platform/film/film.types.ts'
import { FilmError, type FilmErrorCode } from '../../../platform/film/film-error.ts'
import { type SealedObject, sealWhole } from '../../../platform/storage/sealed-object.ts'
import { getSession } from '../../interviews/sessions/sessions.read.service.ts'
import { recipientsOf } from '../../organisation/recipients/recipients.service.ts'
import { enqueueRemoval } from '../../recording/evidence/evidence.erase.service.ts'
import { noteUndecodable } from '../../recording/evidence/evidence.service.ts'
import { sessionIdOf } from './compositions.id.model.ts'
import { gatherInputs, type RenderInputs } from './compositions.inputs.service.ts'
import { removeOvertaken } from './compositions.leftover.service.ts'
import { followProgress } from './compositions.progress.service.ts'
import {
  beginRender,
  failRender,
  findCompositionForUpdate,
  finishRender,
  isWantedRun,
  noteInputs,
  type RenderRef,
  type RenderRun,
} from './compositions.store.ts'
import type { UndecodedEntry } from './compositions.view.ts'

/** Runs of one render that may fail before it counts as failed. */
const renderAttempts = 3
const lifetimeMs = compositionLifetimeDays * 86_400_000

const gaveUp = 'the server ended while it rendered, again and again'
const noFfmpeg = 'ffmpeg was not found on the server'
const inWords: Readonly<Record<FilmErrorCode, string>> = {
  invalid_plan: 'the film could not be laid out',
  decoder_killed: 'the server was short of memory while it decoded',
  encoder_failed: 'the encoder ended before the film was done',
  ffmpeg_unusable: 'the ffmpeg of the server cannot make films',
  unexpected_output: 'the encoder wrote something else than the film that was asked for',
  process_ended: 'the program that renders ended before the film was done',
  too_long: 'the film took longer to render than is given to it',
}

/** What a person may read of a failure: no path and nothing a program said. */
const failureOf = (error: unknown): string =>
  error instanceof FilmError ? inWords[error.code] : "something went wrong while rendering; the server's log says what"

interface Render extends RenderRun {
  /** Whether this is the last run: its film is kept though a decoder was killed. */
  readonly isLast: boolean
  readonly scope: Scope
  readonly tempDir: string
  readonly signal: AbortSignal
  readonly onProgress: (progress: number) => void
}

const tempRoot = (call: Needs<'config'>): string => join(call.config.dataDir, 'films')

/** Takes away what runs of this composition left that ended with their process. */
const removeLeftovers = async (call: Needs<'config'>, compositionId: string): Promise<void> => {
  const names = await readdir(tempRoot(call)).catch((): string[] => [])
  for (const name of names.filter((candidate) => candidate.startsWith(`${compositionId}-`)))
    await rm(join(tempRoot(call), name), { recursive: true, force: true })
}

/** Writes down where bytes may lie from now on; those of a run before this one go. False when nobody wants it any more. */
const begin = (call: Needs<'clock' | 'db' | 'jobs' | 'scope'>, render: RenderRun): Promise<boolean> =>
  call.db.transact(async (tx) => {
    const before = await findCompositionForUpdate(tx, call.scope, render.compositionId)
    if (!(await beginRender(tx, call.scope, render, call.clock.now()))) return false
    if (before?.pendingKey)
      await removeOvertaken(inTx(call, tx), { pendingKey: before.pendingKey, now: call.clock.now() })
    return true
  })

const fail = async (
  call: Needs<'clock' | 'db' | 'jobs' | 'scope'>,
  render: RenderRef & Partial<RenderRun>,
  failure: string,
): Promise<void> => {
  const { scope } = call
  await call.db.transact(async (tx) => {
    const before = await findCompositionForUpdate(tx, scope, render.compositionId)
    if (!(await failRender(tx, scope, render, failure))) return
    if (before?.pendingKey)
      await removeOvertaken(inTx(call, tx), { pendingKey: before.pendingKey, now: call.clock.now() })
  })
}

interface Made {
  readonly inputs: RenderInputs
  readonly film: RenderedFilm
  readonly ffmpeg: FfmpegProgram
  readonly sealed: SealedObject
}

/** The row, the audit row and the end of the film before it, at once. False when nobody wants it any more. */
const finish = (
  call: Needs<'audit' | 'clock' | 'db' | 'jobs'>,
  render: Render,
  { inputs, film, ffmpeg, sealed }: Made,
): Promise<boolean> => {
  const { scope, compositionId } = render
  const now = call.clock.now()
  const inputCount = inputs.entries.length
  const { durationMs, width, height, command } = film
  const { header, sha256, sizeBytes } = sealed
  const undecoded = film.undecoded.map(
    ({ id, kind, atMs }): UndecodedEntry => ({
      evidenceId: id,
      atMs: Math.round(atMs),
      kind,
    }),
  )
  return call.db.transact(async (tx) => {
    const before = await findCompositionForUpdate(tx, scope, compositionId)
    const wanted = await finishRender(tx, scope, render, {
      finishedAt: now,
      expiresAt: now + lifetimeMs,
      filmInputs: inputs.version,
      inputCount,
      inputsSha256: inputs.sha256,
      inputs: JSON.stringify(inputs.entries),
      durationMs,
      width,
      height,
      sizeBytes,
      sha256,
      header,
      command,
      ffmpegVersion: ffmpeg.version,
      undecoded: JSON.stringify(undecoded),
    })
    if (!wanted) return false
    // That a decoder was killed says nothing of what it decoded.
    const evidenceIds = film.undecoded.filter(({ wasKilled }) => !wasKilled).map(({ id }) => id)
    await noteUndecodable({ tx, scope }, { sessionId: sessionIdOf(compositionId), evidenceIds })
    if (before?.storeKey) await enqueueRemoval({ ...call, tx, reader: tx, scope }, { storeKeys: [before.storeKey] })
    await call.audit.append(
      { tx, scope, actor: system },
      {
        action: 'composition.rendered',
        target: compositionId,
        sessionId: sessionIdOf(compositionId),
        payload: {
          inputCount,
          undecoded: undecoded.length,
          inputsSha256: inputs.sha256,
          outputSha256: sha256,
          sizeBytes,
          durationMs,
        },
      },
    )
    return true
  })
}

async function* untilAborted(source: AsyncIterable<Uint8Array>, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  for await (const piece of source) {
    signal.throwIfAborted()
    yield piece
  }
}

/** From the evidence to the row. False when nobody wants it any more. */
const make = async (
  call: Needs<
    'audit' | 'clock' | 'db' | 'films' | 'identities' | 'jobs' | 'keyring' | 'reader' | 'sessionKeys' | 'store'
  >,
  render: Render,
  settled: () => Promise<void>,
): Promise<boolean> => {
  const { scope, signal, tempDir, onProgress, compositionId, storeKey: key } = render
  const session = await getSession({ ...call, scope }, sessionIdOf(compositionId))
  const inputs = await gatherInputs({ ...call, scope }, session)
  if (!(await call.db.transact((tx) => noteInputs(tx, scope, render, inputs.version)))) return false
  const ffmpeg = await call.films.find()
  if (!ffmpeg) throw new FilmError('ffmpeg_unusable', noFfmpeg)
  await mkdir(tempDir, { recursive: true, mode: 0o700 })
  const film = await call.films.render(inputs.plan, { ffmpeg, tempDir, signal, onProgress, frame: compositionFrame })
  try {
    if (!render.isLast && film.undecoded.some(({ wasKilled }) => wasKilled))
      throw new FilmError('decoder_killed', 'a decoder was ended from outside before its item was over')
    const recipients = await recipientsOf(call, scope.orgId)
    const options = { store: call.store, key, size: film.sizeBytes, recipients }
    const whole = await sealWhole(untilAborted(film.read(), signal), options)
    const place = { orgId: scope.orgId, sessionId: session.id, storeKey: key }
    const sealed = { ...whole, header: await call.sessionKeys.seal(place, whole.header) }
    // A word on its progress that came after its end would find nothing to write to.
    await settled()
    return await finish(call, render, { inputs, film, ffmpeg, sealed })
  } finally {
    await film.discard()
  }
}

/**
 * Renders what a request asked for, if it is still wanted; runs again from the beginning when a process died over it.
 * Rejects when it should be tried again; after three attempts the composition has failed, in words.
 */
export const renderComposition = async (
  call: Reads &
    Needs<
      | 'audit'
      | 'clock'
      | 'config'
      | 'db'
      | 'films'
      | 'identities'
      | 'jobs'
      | 'keyring'
      | 'log'
      | 'newId'
      | 'sessionKeys'
      | 'store'
    >,
  { ref, attempt, signal }: { readonly ref: RenderRef; readonly attempt: number; readonly signal: AbortSignal },
): Promise<void> => {
  const { scope } = call
  const { compositionId } = ref
  await removeLeftovers(call, compositionId)
  if (attempt > renderAttempts) return fail(call, ref, gaveUp)
  const run = call.newId('rnd')
  // No other run ever puts anything there.
  const storeKey = `${scope.orgId}/${compositionId}_${run}`
  const own: RenderRun = { ...ref, storeKey }
  if (!(await begin(call, own))) return
  const progress = followProgress(call, own)
  const tempDir = join(tempRoot(call), `${compositionId}-${run}`)
  const both = AbortSignal.any([signal, progress.unwanted])
  const render: Render = {
    ...own,
    scope,
    tempDir,
    signal: both,
    isLast: attempt === renderAttempts,
    onProgress: progress.report,
  }
  try {
    if (!(await make(call, render, progress.settled))) await call.store.remove(storeKey)
  } catch (error) {
    await progress.settled()
    // Another render or an erasure took its place: whatever broke on the way is of no interest.
    if (progress.unwanted.aborted) return await call.store.remove(storeKey)
    signal.throwIfAborted()
    // Where COMMIT itself failed, the row may count on the bytes.
    const isUndone = !(error instanceof CommitFailed)
    if (isUndone && !(await isWantedRun(call.reader, scope, own))) return await call.store.remove(storeKey)
    if (attempt < renderAttempts) throw error
    call.log.warn({ err: error, compositionId }, 'a composition could not be rendered')
    await fail(call, own, failureOf(error))
  } finally {
    await rm(tempDir, { recursive: true, force: true })
  }
}
