import { maxAnnotations, maxNotes, maxRemarkLetters } from '@integrity/protocol'
import type { NoteKind } from '../../src/domains/review/notes/notes.types.ts'
import type { Scope } from '../../src/kernel/identity/scope.ts'
import type { ColumnSpec } from '../../src/platform/db/types.ts'
import type { TestServer } from './server.ts'

const columns: readonly ColumnSpec[] = [
  ...['org_id', 'session_id', 'kind', 'note_id', 'environment', 'meaning', 'text'],
  ...['author_id', 'author_name', 'author_role'],
].map((name) => ({ name, type: 'text' as const }))
const numbers: readonly ColumnSpec[] = [
  { name: 'position', type: 'integer' },
  { name: 'created_at', type: 'bigint' },
]

/** Plants so many remarks of one kind, each with this text; a person would need days. */
export const plantRemarks = async (
  { app, clock }: TestServer,
  { orgId, environment }: Scope,
  sessionId: string,
  { kind, count, text }: { readonly kind: NoteKind; readonly count: number; readonly text: string },
): Promise<void> => {
  const rows = Array.from({ length: count }, (_, n) => [
    ...[orgId, sessionId, kind, `${kind === 'note' ? 'not' : 'ann'}_${String(n).padStart(26, '0')}`, environment],
    ...[kind === 'note' ? null : 'benign', text, 'usr_planted', 'Asha', 'reviewer'],
    ...[n + 1, clock.now()],
  ])
  await app.db.transact((tx) => tx.insertMany('notes', [...columns, ...numbers], rows))
}

const word = 'मैं '

/** As many remarks as a session may have, with as many letters as they may have together. */
export const plantFullRemarks = async (server: TestServer, scope: Scope, sessionId: string): Promise<void> => {
  const each = Math.floor(maxRemarkLetters / (maxNotes + maxAnnotations))
  const text = word.repeat(each).slice(0, each)
  await plantRemarks(server, scope, sessionId, { kind: 'note', count: maxNotes, text })
  await plantRemarks(server, scope, sessionId, { kind: 'annotation', count: maxAnnotations, text })
}
