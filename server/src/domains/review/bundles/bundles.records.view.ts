import { findSalt } from '../../../kernel/audit/audit.commitments.store.ts'
import type { RecordKind } from '../../../kernel/audit/audit.commitments.ts'
import { recordSalt, recordText } from '../../../kernel/audit/audit.commitments.ts'
import { readCommitted } from '../../../kernel/audit/audit.committed.read.ts'
import type { Committed } from '../../../kernel/audit/audit.committed.ts'
import type { SessionPlace } from '../../../kernel/audit/audit.records.store.ts'
import type { Needs, Reads } from '../../../kernel/call.ts'
import type { FoundRecord } from '../../../kernel/session-records.ts'
import { iso } from '../../../kernel/time.ts'
import { tellsOfGaps } from '../../interviews/integrity-events/integrity-events.lanes-verify.service.ts'
import { gapsOf } from '../../interviews/lanes/lanes.service.ts'
import type { Wanted } from './bundles.types.ts'

type Call = Reads & Needs<'recordSources'>

const ofEverybody = ['consent', 'evidence', 'evidence_said', 'left_of_evidence'] as const
const ofReaders = ['session', 'window', 'statement', 'hold_mark', 'left_of_lanes'] as const
const ofOrganisation = ['hold', 'review'] as const
const ofReports = ['note', 'annotation', 'sign_off', 'staleness'] as const

/** The kinds of records that a bundle may show, which are those that its other parts are made of. */
const kindsFor = ({ audience, reports }: Wanted): readonly RecordKind[] => [
  ...ofEverybody,
  ...(audience === 'candidate' ? [] : ofReaders),
  ...(audience === 'organisation' ? ofOrganisation : []),
  ...(reports && audience !== 'candidate' ? ofReports : []),
]

/** `before`: an earlier version wrote it, and the trail says that it is there and not what it says. */
const lineOf = (salt: string, committed: Committed, record: FoundRecord): string | undefined => {
  const { kind, id, value } = record
  const said = committed.of(record)
  const isKnown = committed.find(record)
  if (value === undefined) return undefined
  const before = isKnown && !said ? { before: true } : {}
  return JSON.stringify({
    kind,
    id,
    salt: recordSalt(salt, record).toString('hex'),
    text: recordText(value),
    ...before,
  })
}

/** The gaps that are kept, to be held against the events that told of them. Nothing where these cannot tell. */
const gapsBeside = async (call: Call, { sessionId }: SessionPlace, { isErased }: Committed) => {
  if (isErased || !(await tellsOfGaps(call, sessionId))) return {}
  const gaps = await gapsOf(call, sessionId)
  return {
    gaps: gaps.map((kept) => {
      const { clientId: _, fromAt, toAt, ...gap } = kept
      return { ...gap, fromAt: iso(fromAt), toAt: iso(toAt) }
    }),
  }
}

const once = async (call: Call, place: SessionPlace, kinds: readonly RecordKind[]) => {
  const { reader, recordSources } = call
  const committed = await readCommitted(reader, place)
  const { last } = committed
  const salt = (await findSalt(reader, place)) ?? ''
  const lines = [JSON.stringify({ kinds, upTo: last, ...(await gapsBeside(call, place, committed)) })]
  for (const source of recordSources)
    for await (const page of source.list(reader, place, committed.isErased))
      for (const record of page) {
        const line = kinds.includes(record.kind) ? lineOf(salt, committed, record) : undefined
        if (line !== undefined) lines.push(line)
      }
  return { last, lines }
}

/** A session that is being recorded never stands still: its records are then those of the last of so many looks. */
const mostLooks = 5

/**
 * The records of a session as texts, each with its own salt, so that whoever has the rows of the audit can hold them
 * against what these commit to. The first line names the kinds, and the row of the chain up to which they are. A page is all.
 */
export async function* recordLines(call: Call, sessionId: string, wanted: Wanted): AsyncGenerator<string[]> {
  const place = { orgId: call.scope.orgId, sessionId }
  const kinds = kindsFor(wanted)
  for (let look = 1; ; look += 1) {
    const { last, lines } = await once(call, place, kinds)
    if (look < mostLooks && (await readCommitted(call.reader, place)).last !== last) continue
    yield lines
    return
  }
}
