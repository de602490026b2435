import { invalid, maxAnnotations, maxNotes, maxRemarkLetters, ServiceError } from '@integrity/protocol'
import type { Reads, WriteCall } from '../../../kernel/call.ts'
import type { ActorOf } from '../../../kernel/identity/actor.ts'
import type { Scope } from '../../../kernel/identity/scope.ts'
import { type List, type PageQuery, readPage } from '../../../kernel/paging.ts'
import type { Tx } from '../../../platform/db/types.ts'
import { hasEvent } from '../../interviews/integrity-events/integrity-events.service.ts'
import { noteChange } from '../../interviews/reviews/changes.service.ts'
import { getSession, lockSession } from '../../interviews/sessions/sessions.read.service.ts'
import type { SessionRow } from '../../interviews/sessions/sessions.types.ts'
import { authorOf } from '../../organisation/people/memberships.service.ts'
import { findEvidenceOf } from '../../recording/evidence/evidence.service.ts'
import { noteRecord } from './notes.records.service.ts'
import { countLetters, countNotes, insertNote, listNotes } from './notes.store.ts'
import type { Anchor, AnchorOf, AnnotationRow, NoteKind, NoteRow } from './notes.types.ts'

const bounds: Readonly<Record<NoteKind, number>> = { note: maxNotes, annotation: maxAnnotations }

const all = <K extends NoteKind>(call: Reads, sessionId: string, kind: K) =>
  listNotes(call.reader, call.scope, { sessionId, kind }, { after: 0, take: bounds[kind] })

/** Every note of a session, oldest first. The caller has found the session. */
export const notesOf = (call: Reads, sessionId: string): Promise<NoteRow[]> => all(call, sessionId, 'note')

/** Every annotation of a session, oldest first. The caller has found the session. */
export const annotationsOf = (call: Reads, sessionId: string): Promise<AnnotationRow[]> =>
  all(call, sessionId, 'annotation')

/** A page of notes, oldest first, and how many there are. */
export const readNotes = async (
  call: Reads,
  { sessionId, query }: { readonly sessionId: string; readonly query: PageQuery },
) => {
  const { reader, scope } = call
  await getSession(call, sessionId)
  const of = { sessionId, kind: 'note' } as const
  const list: List<NoteRow> = {
    of: ['notes', scope, sessionId],
    kinds: ['number'],
    keyOf: ({ position }) => [position],
    dense: true,
    fetch: ({ after, skip, take }) => listNotes(reader, scope, of, { after: Number(after?.[0] ?? 0) + skip, take }),
  }
  return { page: await readPage(list, query), total: await countNotes(reader, scope, of) }
}

/** Throws `invalid_request` where nothing of a session is left to point at, and for an instant outside of it. */
export const checkPlace = (
  session: SessionRow,
  { at, now, path }: { readonly at: number | undefined; readonly now: number; readonly path: string },
): void => {
  const { startedAt, endedAt, erasedAt } = session
  if (erasedAt !== null) throw invalid(path, 'what was captured in this session was erased')
  if (at === undefined) return
  if (startedAt === null) throw invalid(path, 'this session has not begun, so no moment of it can be named')
  if (at < startedAt || at > (endedAt ?? now)) throw invalid(path, 'lies outside the session')
}

/** The row of an object is found in this scope, whatever its session. */
const isEvidenceOf = async (call: Reads, sessionId: string, evidenceId: string): Promise<boolean> =>
  (await findEvidenceOf(call, evidenceId))?.sessionId === sessionId

/**
 * Before the transaction, as it may take as long as a session has events, of which none ever goes. What is of another session
 * is refused in the same words as what is not there at all.
 */
export const findAnchor = async (
  call: Reads,
  { sessionId, anchor }: { readonly sessionId: string; readonly anchor: Anchor | undefined },
): Promise<void> => {
  await getSession(call, sessionId)
  if (anchor === undefined || 'atMs' in anchor) return
  if ('evidenceId' in anchor) {
    if (!(await isEvidenceOf(call, sessionId, anchor.evidenceId)))
      throw invalid('anchor.evidenceId', 'is not evidence of this session')
  } else if (!(await hasEvent(call, { sessionId, eventId: anchor.eventId })))
    throw invalid('anchor.eventId', 'is not an event of this session')
}

export interface NewRemark<K extends NoteKind> {
  readonly text: string
  readonly meaning: string | null
  readonly anchor: AnchorOf[K] | null
}

const actions = { note: 'note.added', annotation: 'annotation.added' } as const

/** How many of the kind there are. Throws `conflict` where no more are taken. */
const checkRoom = async (tx: Tx, scope: Scope, of: { sessionId: string; kind: NoteKind }, text: string) => {
  const before = await countNotes(tx, scope, of)
  const most = bounds[of.kind]
  if (before >= most)
    throw new ServiceError('conflict', `${most} ${of.kind}s were written about this session; no more are accepted`)
  const left = maxRemarkLetters - (await countLetters(tx, scope, of.sessionId))
  if (text.length > left)
    throw new ServiceError(
      'conflict',
      `notes and annotations of a session have ${maxRemarkLetters} characters together; ${Math.max(0, left)} are left`,
    )
  return before
}

/** Writes beside a locked session; whatever it points at has been looked for. A sign-off before it is stale. */
export const addRemark = async <K extends NoteKind>(
  call: WriteCall<ActorOf<'user'>>,
  { session, kind, remark }: { readonly session: SessionRow; readonly kind: K; readonly remark: NewRemark<K> },
): Promise<NoteRow<AnchorOf[K]>> => {
  const { tx, scope, actor } = call
  const before = await checkRoom(tx, scope, { sessionId: session.id, kind }, remark.text)
  const author = await authorOf(call, actor)
  const id = call.newId(kind === 'note' ? 'not' : 'ann')
  const row = {
    ...remark,
    id,
    position: before + 1,
    createdAt: call.clock.now(),
    authorName: author.name,
    authorRole: author.role,
  }
  await insertNote(tx, scope, { ...row, kind, sessionId: session.id, authorId: actor.id })
  const records = await noteRecord(tx, { orgId: scope.orgId, sessionId: session.id, id })
  await call.audit.append(call, { action: actions[kind], target: id, sessionId: session.id, records })
  await noteChange(call, { session, cause: kind })
  return row
}

interface AddNoteInput {
  readonly sessionId: string
  readonly note: { readonly text: string; readonly anchor?: Anchor | null | undefined }
}

/** Call with the anchor found. */
export const addNote = async (
  call: WriteCall<ActorOf<'user'>>,
  { sessionId, note: { text, anchor = null } }: AddNoteInput,
): Promise<NoteRow> => {
  const session = await lockSession(call, sessionId)
  const at = anchor && 'atMs' in anchor ? (session.startedAt ?? 0) + anchor.atMs : undefined
  if (anchor) checkPlace(session, { at, now: call.clock.now(), path: at === undefined ? 'anchor' : 'anchor.atMs' })
  return addRemark(call, { session, kind: 'note', remark: { text, anchor, meaning: null } })
}
