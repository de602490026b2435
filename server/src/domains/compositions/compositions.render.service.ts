import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { compositionFrame, compositionLifetimeDays } from '@integrity/protocol'
import { system } from '../../kernel/actor.ts'
import type { AppContext } from '../../kernel/parts.ts'
import type { Scope } from '../../kernel/scope.ts'
import type { FfmpegProgram, RenderedFilm } from '../../platform/film/film.types.ts'
import { FilmError, type FilmErrorCode } from '../../platform/film/film-error.ts'
import { type SealedObject, sealWhole } from '../../platform/storage/sealed-object.ts'
import { enqueueRemoval } from '../evidence/evidence.erase.service.ts'
import { orgRecipients } from '../orgs/orgs.service.ts'
import { getSession } from '../sessions/sessions.service.ts'
import { sessionIdOf } from './compositions.id.ts'
import { gatherInputs, type RenderInputs } from './compositions.inputs.service.ts'
import { followProgress } from './compositions.progress.ts'
import {
  beginRender,
  failRender,
  findCompositionForUpdate,
  finishRender,
  noteInputs,
  type RenderRef,
  type RenderRun,
} from './compositions.store.ts'

/** Runs of one render that may fail before it counts as failed. */
export const renderAttempts = 3
const lifetimeMs = compositionLifetimeDays * 86_400_000

const gaveUp = 'the server ended while it rendered, again and again'
const noFfmpeg = 'ffmpeg was not found on the server'
const inWords: Readonly<Record<FilmErrorCode, string>> = {
  invalid_plan: 'the film could not be laid out',
  encoder_failed: 'the encoder ended before the film was done',
  ffmpeg_unusable: 'the ffmpeg of the server cannot make films',
  unexpected_output: 'the encoder wrote something else than the film that was asked for',
}

/** What a person may read of a failure: no path and nothing a program said. */
const failureOf = (error: unknown): string =>
  error instanceof FilmError ? inWords[error.code] : "something went wrong while rendering; the server's log says what"

interface Render extends RenderRun {
  readonly scope: Scope
  readonly tempDir: string
  readonly signal: AbortSignal
  readonly onProgress: (progress: number) => void
}

const tempRoot = (app: AppContext): string => join(app.config.dataDir, 'films')

/** Takes away what runs of this composition left that ended with their process. */
const removeLeftovers = async (app: AppContext, compositionId: string): Promise<void> => {
  const names = await readdir(tempRoot(app)).catch((): string[] => [])
  for (const name of names.filter((candidate) => candidate.startsWith(`${compositionId}-`)))
    await rm(join(tempRoot(app), name), { recursive: true, force: true })
}

/** Writes down where bytes may lie from now on; those of a run before this one go. False when nobody wants it any more. */
const begin = (app: AppContext, scope: Scope, render: RenderRun): Promise<boolean> =>
  app.db.transact(async (tx) => {
    const before = await findCompositionForUpdate(tx, scope, render.compositionId)
    if (!(await beginRender(tx, scope, render, app.clock.now()))) return false
    if (before?.pendingKey) await enqueueRemoval(app, tx, scope, { storeKeys: [before.pendingKey] })
    return true
  })

const fail = async (
  app: AppContext,
  scope: Scope,
  render: RenderRef & Partial<RenderRun>,
  failure: string,
): Promise<void> => {
  await app.db.transact(async (tx) => {
    const before = await findCompositionForUpdate(tx, scope, render.compositionId)
    if (!(await failRender(tx, scope, render, failure))) return
    if (before?.pendingKey) await enqueueRemoval(app, tx, scope, { storeKeys: [before.pendingKey] })
  })
}

interface Made {
  readonly inputs: RenderInputs
  readonly film: RenderedFilm
  readonly ffmpeg: FfmpegProgram
  readonly sealed: SealedObject
}

/** The row, the audit row and the end of the film before it, at once. False when nobody wants it any more. */
const finish = (app: AppContext, render: Render, { inputs, film, ffmpeg, sealed }: Made): Promise<boolean> => {
  const { scope, compositionId } = render
  const now = app.clock.now()
  const inputCount = inputs.entries.length
  const { durationMs, width, height, command } = film
  const { header, sha256, sizeBytes } = sealed
  const undecoded = film.undecoded?.length ?? 0
  return app.db.transact(async (tx) => {
    const before = await findCompositionForUpdate(tx, scope, compositionId)
    const wanted = await finishRender(tx, scope, render, {
      finishedAt: now,
      expiresAt: now + lifetimeMs,
      filmInputs: inputs.version,
      inputCount,
      inputsSha256: inputs.sha256,
      inputs: JSON.stringify(inputs.entries),
      ...{ durationMs, width, height, sizeBytes, sha256, header, command },
      ffmpegVersion: ffmpeg.version,
    })
    if (!wanted) return false
    if (before?.storeKey) await enqueueRemoval(app, tx, scope, { storeKeys: [before.storeKey] })
    await app.audit.append(tx, scope.orgId, {
      actor: system,
      action: 'composition.rendered',
      target: compositionId,
      sessionId: sessionIdOf(compositionId),
      payload: { inputCount, undecoded, inputsSha256: inputs.sha256, outputSha256: sha256, sizeBytes, durationMs },
    })
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
const make = async (app: AppContext, render: Render, settled: () => Promise<void>): Promise<boolean> => {
  const { scope, signal, tempDir, onProgress, compositionId, storeKey: key } = render
  const session = await getSession(app.db.reader, scope, sessionIdOf(compositionId))
  const inputs = await gatherInputs(app, scope, session)
  if (!(await app.db.transact((tx) => noteInputs(tx, scope, render, inputs.version)))) return false
  const ffmpeg = await app.films.find()
  if (!ffmpeg) throw new FilmError('ffmpeg_unusable', noFfmpeg)
  await mkdir(tempDir, { recursive: true, mode: 0o700 })
  const film = await app.films.render(inputs.plan, { ffmpeg, tempDir, signal, onProgress, frame: compositionFrame })
  try {
    const recipients = await orgRecipients(app.db.reader, scope.orgId)
    const options = { store: app.store, key, size: film.sizeBytes, recipients }
    const sealed = await sealWhole(untilAborted(film.read(), signal), options)
    // A word on its progress that came after its end would find nothing to write to.
    await settled()
    return await finish(app, render, { inputs, film, ffmpeg, sealed })
  } finally {
    await film.discard()
  }
}

/**
 * Renders what a request asked for, if it is still wanted; runs again from the beginning when a process died over it.
 * Rejects when it should be tried again; after three attempts the composition has failed, in words.
 */
export const renderComposition = async (
  app: AppContext,
  scope: Scope,
  ref: RenderRef,
  { attempt, signal }: { readonly attempt: number; readonly signal: AbortSignal },
): Promise<void> => {
  const { compositionId } = ref
  await removeLeftovers(app, compositionId)
  if (attempt > renderAttempts) return fail(app, scope, ref, gaveUp)
  const run = app.newId('rnd')
  // No other run ever puts anything there.
  const storeKey = `${scope.orgId}/${compositionId}_${run}`
  const own: RenderRun = { ...ref, storeKey }
  if (!(await begin(app, scope, own))) return
  const progress = followProgress(app, scope, own)
  const tempDir = join(tempRoot(app), `${compositionId}-${run}`)
  const both = AbortSignal.any([signal, progress.unwanted])
  const render: Render = { ...own, scope, tempDir, signal: both, onProgress: progress.report }
  try {
    if (!(await make(app, render, progress.settled))) await app.store.remove(storeKey)
  } catch (error) {
    await progress.settled()
    // Another render or an erasure took its place: whatever broke on the way is of no interest.
    if (progress.unwanted.aborted) return await app.store.remove(storeKey)
    signal.throwIfAborted()
    if (attempt < renderAttempts) throw error
    app.log.warn({ err: error, compositionId }, 'a composition could not be rendered')
    await fail(app, scope, own, failureOf(error))
  } finally {
    await rm(tempDir, { recursive: true, force: true })
  }
}
