import type { Scope } from '../../../kernel/identity/scope.ts'
import type { Reader, Tx } from '../../../platform/db/types.ts'
import type { AnchorOf, NoteKind, NoteRow } from './notes.types.ts'

type Raw = Omit<NoteRow, 'anchor'> & { readonly anchor: string | null }

/** Positions are dense, so a page is found by its key however far it lies. The caller has found the session in this scope. */
export const listNotes = async <K extends NoteKind>(
  reader: Reader,
  scope: Scope,
  of: { readonly sessionId: string; readonly kind: K },
  { after, take }: { readonly after: number; readonly take: number },
): Promise<NoteRow<AnchorOf[K]>[]> => {
  const rows = await reader.all<Raw>(
    `SELECT n.position, n.note_id AS id, n.meaning, n.text, n.author_name AS "authorName", n.author_role AS "authorRole",
       n.created_at AS "createdAt", a.anchor
     FROM notes n LEFT JOIN note_anchors a ON a.org_id = n.org_id AND a.session_id = n.session_id AND a.note_id = n.note_id
     WHERE n.org_id = ? AND n.session_id = ? AND n.kind = ? AND n.environment = ? AND n.position > ?
     ORDER BY n.position LIMIT ?`,
    [scope.orgId, of.sessionId, of.kind, scope.environment, after, take],
  )
  return rows.map((raw) => ({
    ...raw,
    anchor: raw.anchor === null ? null : (JSON.parse(raw.anchor) as AnchorOf[K]),
  }))
}

/** The last position is their number. */
export const countNotes = async (
  reader: Reader,
  scope: Scope,
  of: { readonly sessionId: string; readonly kind: NoteKind },
): Promise<number> => {
  const row = await reader.get<{ n: number }>(
    'SELECT position AS n FROM notes WHERE org_id = ? AND session_id = ? AND kind = ? ORDER BY position DESC LIMIT 1',
    [scope.orgId, of.sessionId, of.kind],
  )
  return row?.n ?? 0
}

/** Characters of everything that was written beside a session. */
export const countLetters = async (reader: Reader, scope: Scope, sessionId: string): Promise<number> => {
  const row = await reader.get<{ letters: number | null }>(
    'SELECT SUM(LENGTH(text)) AS letters FROM notes WHERE org_id = ? AND environment = ? AND session_id = ?',
    [scope.orgId, scope.environment, sessionId],
  )
  return row?.letters ?? 0
}

export interface NewNote extends NoteRow<AnchorOf[NoteKind]> {
  readonly sessionId: string
  readonly kind: NoteKind
  readonly authorId: string
}

/** Call with the session locked. */
export const insertNote = async (tx: Tx, scope: Scope, note: NewNote): Promise<void> => {
  await tx.run(
    `INSERT INTO notes (org_id, session_id, kind, position, note_id, environment, meaning, text, author_id, author_name,
       author_role, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      scope.orgId,
      note.sessionId,
      note.kind,
      note.position,
      note.id,
      scope.environment,
      note.meaning,
      note.text,
      note.authorId,
      note.authorName,
      note.authorRole,
      note.createdAt,
    ],
  )
  if (note.anchor === null) return
  await tx.run('INSERT INTO note_anchors (org_id, session_id, note_id, anchor) VALUES (?, ?, ?, ?)', [
    scope.orgId,
    note.sessionId,
    note.id,
    JSON.stringify(note.anchor),
  ])
}

/** Call with the session found in this scope. */
export const deleteAnchors = async (tx: Tx, scope: Scope, sessionId: string): Promise<void> => {
  await tx.run('DELETE FROM note_anchors WHERE org_id = ? AND session_id = ?', [scope.orgId, sessionId])
}
