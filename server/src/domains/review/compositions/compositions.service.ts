import { notFound, ServiceError } from '@integrity/protocol'
import type { Needs, Reads, WriteCall } from '../../../kernel/call.ts'
import { downloadLink } from '../../../kernel/download-links.ts'
import { Reply } from '../../../kernel/handler.ts'
import { type List, type PageQuery, pageView, readPage } from '../../../kernel/paging.ts'
import { FilmError } from '../../../platform/film/film-error.ts'
import { getSession, lockSession } from '../../interviews/sessions/sessions.read.service.ts'
import type { SessionRow } from '../../interviews/sessions/sessions.types.ts'
import { evidenceInventory } from '../../recording/evidence/evidence.service.ts'
import { compositionIdOf, sessionIdOf } from './compositions.id.model.ts'
import { admitRender, filmIsThere, inputsVersion, notReady } from './compositions.policy.ts'
import { type CompositionRow, findComposition, findInputs, queueRender } from './compositions.store.ts'
import { type CompositionView, compositionDetailView, compositionView, type ViewFacts } from './compositions.view.ts'

/** Which composition a request names: by its own id, and in a member's paths also by the session it must belong to. */
export interface CompositionRef {
  readonly id: string
  readonly sessionId?: string | undefined
}

/** The session of a composition; `not_found` also for a composition of another session than the path says. */
const readSession = async (
  ref: CompositionRef,
  read: (sessionId: string) => Promise<SessionRow>,
): Promise<SessionRow> => {
  const sessionId = sessionIdOf(ref.id)
  if (ref.sessionId !== undefined && ref.sessionId !== sessionId) throw notFound('composition')
  return read(sessionId)
}

const factsOf = async (
  call: Reads & Needs<'clock'>,
  session: SessionRow,
  row: CompositionRow | undefined,
): Promise<ViewFacts> => ({
  id: compositionIdOf(session.id),
  session,
  row,
  version: inputsVersion(await evidenceInventory(call, session.id)),
  now: call.clock.now(),
})

/** Always one: the row of a composition that nobody asked for is virtual. */
export const listCompositions = async (
  call: Reads & Needs<'clock'>,
  { sessionId, query }: { readonly sessionId: string; readonly query: PageQuery },
) => {
  const session = await getSession(call, sessionId)
  const row = await findComposition(call.reader, call.scope, compositionIdOf(sessionId))
  const facts = await factsOf(call, session, row)
  const list: List<ViewFacts> = {
    of: ['compositions', call.scope, sessionId],
    kinds: ['string'],
    keyOf: ({ id }) => [id],
    fetch: ({ after, skip }) => Promise.resolve(after === undefined && skip === 0 ? [facts] : []),
  }
  return pageView(await readPage(list, query), 1, compositionView)
}

/** Reads one composition and records who did. */
export const viewComposition = async (call: WriteCall, id: string) => {
  const { tx, scope } = call
  const session = await readSession({ id }, (sessionId) => getSession(call, sessionId))
  const row = await findComposition(tx, scope, id)
  await call.audit.append(call, {
    action: 'composition.viewed',
    target: id,
    sessionId: session.id,
  })
  const inputs = row ? await findInputs(tx, scope, id) : null
  return compositionDetailView(await factsOf(call, session, row), inputs)
}

const howToFix =
  'films are made with ffmpeg, which this server does not find: install it (apt-get install ffmpeg) or set FFMPEG_PATH to the program'

/** Whether there is an ffmpeg to render with: undefined, or why not. Slow: call it before the transaction. */
export const missingFfmpeg = async (call: Needs<'films'>): Promise<ServiceError | undefined> => {
  try {
    if (await call.films.find()) return undefined
    return new ServiceError('service_unavailable', howToFix)
  } catch (cause) {
    if (!(cause instanceof FilmError)) throw cause
    const message =
      'the ffmpeg that FFMPEG_PATH names cannot make films: it must be a working program that encodes H.264 and AAC'
    return new ServiceError('service_unavailable', message, { cause })
  }
}

const isRunning = (row: CompositionRow | undefined): row is CompositionRow =>
  row?.status === 'queued' || row?.status === 'rendering'

/**
 * Asks for a film of an ended session. 202 with the state of a render that is wanted, the same one for the same inputs;
 * 200 when a film of these inputs is there. Other inputs than those of a running render replace it; the film that is
 * there stays until the new one is done. Throws `conflict` for a session that no film can be made of, and `missing`
 * when a new render is needed.
 */
export const requestRender = async (
  call: WriteCall,
  { ref, missing }: { readonly ref: CompositionRef; readonly missing: ServiceError | undefined },
): Promise<Reply<CompositionView>> => {
  const { tx, scope } = call
  const { id } = ref
  const session = await readSession(ref, (sessionId) => lockSession(call, sessionId))
  const counts = await evidenceInventory(call, session.id)
  admitRender(session, counts)
  const before = await findComposition(tx, scope, id)
  const version = inputsVersion(counts)
  const now = call.clock.now()
  const ready = before?.status === 'ready' && filmIsThere(before, session, now) && before.filmInputs === version
  const running = isRunning(before) && before.wantedInputs === version
  if (!ready && !running) {
    if (missing) throw missing
    const renderId = call.newId('rnd')
    await queueRender(tx, scope, { id, sessionId: session.id, renderId, wantedInputs: version, requestedAt: now })
    await call.jobs.enqueue(call, { kind: 'compositions.render', payload: { compositionId: id, renderId } })
  }
  await call.audit.append(call, {
    action: 'composition.render_requested',
    target: id,
    sessionId: session.id,
    payload: { again: ready || running },
  })
  const row = await findComposition(tx, scope, id)
  return new Reply(compositionView(await factsOf(call, session, row)), { status: ready ? 200 : 202 })
}

/** A film that can be read. */
export interface ReadyFilm {
  readonly id: string
  readonly sessionId: string
  readonly storeKey: string
  readonly header: string
  readonly sizeBytes: number
  readonly sha256: string
}

/** The film that is there. Throws `conflict` that says what to do when there is none. */
export const getFilm = async (call: Reads & Needs<'clock'>, ref: CompositionRef): Promise<ReadyFilm> => {
  const session = await readSession(ref, (sessionId) => getSession(call, sessionId))
  const row = await findComposition(call.reader, call.scope, ref.id)
  if (!row || !filmIsThere(row, session, call.clock.now())) throw notReady(row)
  const { id, storeKey, header, sizeBytes, sha256 } = row
  if (storeKey === null || header === null || sizeBytes === null || sha256 === null) throw notReady(row)
  return { id, sessionId: session.id, storeKey, header, sizeBytes, sha256 }
}

/** A URL that opens the film without a key for five minutes. */
export const mintCompositionUrl = async (call: WriteCall & Needs<'config' | 'downloadKey'>, id: string) => {
  const film = await getFilm(call, { id })
  const link = downloadLink(call, { kind: 'composition', objectId: id, path: `/v1/api/compositions/${id}/content` })
  await call.audit.append(call, {
    action: 'composition.download_link_created',
    target: id,
    sessionId: film.sessionId,
    payload: { expiresAt: link.expiresAt },
  })
  return link
}
