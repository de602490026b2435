import { derivedKinds, momentRules, ServiceError } from '@integrity/protocol'
import type { By, Needs, Reads } from '../../../kernel/call.ts'
import type { ActorOf } from '../../../kernel/identity/actor.ts'
import { type PageQuery, pageView } from '../../../kernel/paging.ts'
import { iso, isoOrNull } from '../../../kernel/time.ts'
import { notesOf } from '../notes/notes.service.ts'
import type { AnnotationRow, NoteRow } from '../notes/notes.types.ts'
import { noteView } from '../notes/notes.view.ts'
import { readTimeline } from '../transcripts/timeline.service.ts'
import type { DerivedEntry } from '../transcripts/timeline.types.ts'
import { timelineView } from '../transcripts/transcripts.view.ts'
import type { SourceAccount } from './account.types.ts'
import { annotationView } from './annotations.view.ts'
import { readMoments } from './coverage.service.ts'
import { momentIdsOf } from './moments.model.ts'
import type { Moment } from './moments.types.ts'

type Query = PageQuery & Parameters<typeof readTimeline>[1]['query']
type Call = Reads & By<ActorOf<'user'>> & Needs<'clock'>

/** Where it points to, as far as that is an instant; else when it was written. */
const placeOfNote = ({ anchor, createdAt }: NoteRow, startedAt: number | null): number =>
  anchor !== null && 'atMs' in anchor && startedAt !== null ? startedAt + anchor.atMs : createdAt

const noteEntry = (row: NoteRow, startedAt: number | null): DerivedEntry => {
  const at = placeOfNote(row, startedAt)
  return { kind: 'note', at, id: row.id, item: { kind: 'note', at: iso(at), note: noteView(row) } }
}

const annotationEntry = (row: AnnotationRow): DerivedEntry => {
  const at = row.anchor?.at ?? row.createdAt
  const item = { kind: 'annotation', at: iso(at), annotation: annotationView(row) } as const
  return { kind: 'annotation', at, id: row.id, item }
}

const momentEntry = (sessionId: string, moment: Moment): DerivedEntry => {
  const { at, rule, lanes, untilAt } = moment
  const id = momentIdsOf(sessionId, moment)[0]!
  const { title } = momentRules[rule]
  const told = { id, rule, title, lanes: [...lanes], untilAt: isoOrNull(untilAt) }
  return { kind: 'moment', at, id, item: { kind: 'moment', at: iso(at), moment: told } }
}

const gapEntries = ({ source, lane, stretches }: SourceAccount): DerivedEntry[] =>
  stretches
    .filter(({ state }) => state === 'gap')
    .map(({ fromAt: at, toAt, reason }) => {
      const gap = { source, lane, reason, untilAt: iso(toAt) }
      return { kind: 'gap', at, id: `${source} ${toAt}`, item: { kind: 'gap', at: iso(at), gap } }
    })

const derivedOf = async (call: Call, sessionId: string): Promise<DerivedEntry[]> => {
  const { session, sources, moments, annotations } = await readMoments(call, sessionId)
  const notes = await notesOf(call, sessionId)
  return [
    ...notes.map((row) => noteEntry(row, session.startedAt)),
    ...annotations.map(annotationEntry),
    ...moments.map((moment) => momentEntry(sessionId, moment)),
    ...sources.flatMap(gapEntries),
  ]
}

const isDerived = (kind: string | undefined): boolean =>
  (derivedKinds as readonly (string | undefined)[]).includes(kind)

/** A page of what happened in a session, with what was worked out and written beside it for who may read its report. */
export const readWholeTimeline = async (
  call: Call,
  { sessionId, query }: { readonly sessionId: string; readonly query: Query },
) => {
  const mayRead = call.actor.permissions.includes('report.view')
  if (isDerived(query.kind) && !mayRead) throw new ServiceError('forbidden', 'this needs the permission report.view')
  const derived = mayRead && (query.kind === undefined || isDerived(query.kind)) ? await derivedOf(call, sessionId) : []
  const { page, total } = await readTimeline(call, { sessionId, query, derived })
  return pageView(page, total, timelineView)
}
