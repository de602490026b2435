import {
  type annotationMeanings,
  laneOfSource,
  momentRules,
  type reelIndex,
  reelIndexLimits,
  shownAids,
} from '@integrity/protocol'
import type * as z from 'zod'
import { iso, isoOrNull } from '../../../kernel/time.ts'
import type { StatementRow } from '../../interviews/statements/statements.types.ts'
import { statementView } from '../../interviews/statements/statements.view.ts'
import { type IndexItem, playedAtOf } from '../../recording/evidence/spans.service.ts'
import type { AnnotationRow, NoteRow } from '../notes/notes.types.ts'
import type { SourceAccount } from '../reports/account.types.ts'
import type { SessionMoments } from '../reports/coverage.service.ts'
import { momentIdsOf } from '../reports/moments.model.ts'
import type { Moment } from '../reports/moments.types.ts'
import type { SegmentRow } from '../transcripts/transcripts.types.ts'

type Index = z.input<typeof reelIndex>
type Source = Index['sources'][number]

interface IndexFacts extends SessionMoments {
  readonly notes: readonly NoteRow[]
  readonly statements: readonly StatementRow[]
  /** Undefined for who may not view evidence. */
  readonly items: readonly IndexItem[] | undefined
  readonly speech: readonly SegmentRow[] | undefined
}

const displayWord = 'screen:'
const labelOf = (source: string): string => {
  if (source.startsWith(displayWord)) return `Display ${source.slice(displayWord.length)}`
  const words = source.replaceAll('_', ' ')
  return words.slice(0, 1).toUpperCase() + words.slice(1)
}

const columnsOf = (items: readonly IndexItem[], startedAt: number): Source['items'] => ({
  id: items.map(({ id }) => id),
  atMs: items.map((item) => playedAtOf(item) - startedAt),
  durationMs: items.map(({ durationMs }) => durationMs),
  sizeBytes: items.map(({ sizeBytes }) => sizeBytes),
  contentType: items.map(({ contentType }) => contentType),
  levels: items.some(({ hasLevels }) => hasLevels === 1) ? items.map(({ hasLevels }) => hasLevels === 1) : null,
})

const accountOf = (account: SourceAccount | undefined, startedAt: number): Source['account'] =>
  (account?.stretches ?? []).map(({ fromAt, toAt, state, reason, held }) => [
    fromAt - startedAt,
    toAt - startedAt,
    state,
    reason,
    held,
  ])

/**
 * Every source that was asked for or recorded something, in the order of the accounts. The screen's lane as a whole is one only
 * where no display has a name.
 */
const sourcesOf = ({ sources, items }: IndexFacts, startedAt: number): Source[] => {
  const accounts = new Map(sources.map((account) => [account.source, account]))
  const bySource = Map.groupBy(items?.slice(0, reelIndexLimits.items) ?? [], ({ source }) => source as string)
  const hasDisplays = [...accounts.keys(), ...bySource.keys()].some((name) => name.startsWith(displayWord))
  const names = new Set([...accounts.keys(), ...bySource.keys()])
  return [...names]
    .filter((name) => bySource.has(name) || (accounts.get(name)?.stretches.length ?? 0) > 0)
    .filter((name) => name !== 'screen' || !hasDisplays || bySource.has(name))
    .map((name) => ({
      source: name,
      lane: accounts.get(name)?.lane ?? laneOfSource(name as IndexItem['source']),
      label: labelOf(name),
      account: accountOf(accounts.get(name), startedAt),
      ...(items && { items: columnsOf(bySource.get(name) ?? [], startedAt) }),
    }))
}

interface Shown {
  /** Who wrote something is for the organisation to know: its keys are told what they were. */
  readonly named: boolean
}

const authorOf = ({ authorName, authorRole }: Pick<NoteRow, 'authorName' | 'authorRole'>, { named }: Shown) => ({
  ...(named && { name: authorName }),
  role: authorRole,
})

const annotationOf = (row: AnnotationRow, shown: Shown) => ({
  id: row.id,
  meaning: row.meaning as (typeof annotationMeanings)[number],
  text: row.text,
  author: authorOf(row, shown),
  createdAt: iso(row.createdAt),
})

const momentOf = (
  { session, annotations, baseRateOf }: Pick<IndexFacts, 'annotations' | 'baseRateOf' | 'session'>,
  moment: Moment,
  shown: Shown,
): Index['moments'][number] => {
  const startedAt = session.startedAt ?? 0
  const ids = momentIdsOf(session.id, moment)
  return {
    id: ids[0]!,
    atMs: moment.at - startedAt,
    untilMs: moment.untilAt === null ? null : moment.untilAt - startedAt,
    rule: moment.rule,
    title: momentRules[moment.rule].title,
    lanes: [...moment.lanes],
    reading: { ...moment.reading },
    atStart: moment.atStart && { ...moment.atStart },
    baseRate: baseRateOf(moment.rule),
    annotations: annotations
      .filter(({ anchor }) => anchor !== null && anchor.momentId !== null && ids.includes(anchor.momentId))
      .map((row) => annotationOf(row, shown)),
  }
}

const speechOf = (rows: readonly SegmentRow[]): Index['speech'] => ({
  atMs: rows.map(({ startMs }) => startMs),
  untilMs: rows.map(({ endMs }) => endMs),
  speaker: rows.map(({ speaker }) => speaker),
  speakerSaidBy: 'agent',
  text: rows.map(({ text }) => text),
})

export const reelIndexView = (facts: IndexFacts, shown: Shown): Index => {
  const { session, items, speech, moments, notes, statements } = facts
  const most = reelIndexLimits
  return {
    sessionId: session.id,
    startedAt: isoOrNull(session.startedAt),
    endedAt: isoOrNull(session.endedAt),
    sources: sourcesOf(facts, session.startedAt ?? 0),
    moments: moments.map((moment) => momentOf(facts, moment, shown)),
    aids: shownAids(session.config),
    notes: notes.map((row) => ({
      id: row.id,
      text: row.text,
      anchor: row.anchor,
      author: authorOf(row, shown),
      createdAt: iso(row.createdAt),
    })),
    statements: statements.map(statementView),
    ...(speech && { speech: speechOf(speech.slice(0, most.speech)) }),
    complete: (items?.length ?? 0) <= most.items && (speech?.length ?? 0) <= most.speech,
  }
}
