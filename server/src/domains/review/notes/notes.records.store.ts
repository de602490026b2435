import type { SessionPlace } from '../../../kernel/audit/audit.records.store.ts'
import type { Reader } from '../../../platform/db/types.ts'
import type { NoteKind } from './notes.types.ts'

/** Notes and annotations of a session with what they point at; one of them where it is named. */
export const listNoteRecords = (
  reader: Reader,
  { orgId, sessionId }: SessionPlace,
  only?: string,
): Promise<({ id: string; kind: NoteKind } & Record<string, string | number | null>)[]> =>
  reader.all(
    `SELECT n.note_id AS id, n.kind, n.position, n.environment, n.meaning, n.text, n.author_id AS "authorId",
       n.author_name AS "authorName", n.author_role AS "authorRole", n.created_at AS "createdAt", a.anchor
     FROM notes n LEFT JOIN note_anchors a ON a.org_id = n.org_id AND a.session_id = n.session_id AND a.note_id = n.note_id
     WHERE n.org_id = ? AND n.session_id = ?${only === undefined ? '' : ' AND n.note_id = ?'} ORDER BY n.kind, n.position`,
    [orgId, sessionId, ...(only === undefined ? [] : [only])],
  )
