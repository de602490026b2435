import { isoOf } from '../../../kernel/audit/audit.digest.ts'
import type { AuditPage } from './audit.list.service.ts'
import type { ListedRow } from './audit.list.store.ts'

const played = 'evidence.played'

const detailsOf = (payload: string | null): Readonly<Record<string, unknown>> =>
  payload === null ? {} : (JSON.parse(payload) as Readonly<Record<string, unknown>>)

const rangeOf = (details: Readonly<Record<string, unknown>>) => {
  const { start, end } = details
  return typeof start === 'number' && typeof end === 'number' ? { range: { start, end } } : {}
}
const targetOf = (action: string, target: string) => {
  if (action === played) return {}
  if (action.startsWith('evidence.')) return { evidenceId: target }
  return action.startsWith('composition.') ? { compositionId: target } : {}
}

/** What was looked through, in an erased session nothing that tells it. */
interface Look {
  readonly key: string
  readonly source: string
  readonly size: unknown
  fromMs: number
  toMs: number
  objects: number
}

const lookOf = ({ actorKind, actorId, action }: ListedRow, details: Readonly<Record<string, unknown>>) => {
  const { source, size, fromMs, toMs, objects } = details
  if (action !== played || typeof source !== 'string') return undefined
  if (typeof fromMs !== 'number' || typeof toMs !== 'number' || typeof objects !== 'number') return undefined
  const key = JSON.stringify([actorKind, actorId, source, size])
  return { key, source, size, fromMs, toMs, objects } satisfies Look
}

/** Somebody who looks on asks for the next reel within so much time. Milliseconds. */
const lookOnMs = 15 * 60_000

interface Line {
  readonly row: ListedRow
  readonly details: Readonly<Record<string, unknown>>
  readonly look: Look | undefined
  /** Of the earliest row that is joined. */
  firstAt: number
}

/** Whether two looks touch or overlap. */
const goesOn = (look: Look, before: Look): boolean => look.fromMs <= before.toMs && look.toMs >= before.fromMs

/** Rows as lines, newest first: what one person looked through on and on, or back and back, is one. */
const linesOf = (rows: readonly ListedRow[]): Line[] => {
  const lines: Line[] = []
  const open = new Map<string, Line>()
  for (const row of rows) {
    const details = detailsOf(row.payload)
    const look = lookOf(row, details)
    const line = look && open.get(look.key)
    const before = line?.look
    if (line && look && before && goesOn(look, before) && line.firstAt - row.at <= lookOnMs) {
      before.fromMs = Math.min(before.fromMs, look.fromMs)
      before.toMs = Math.max(before.toMs, look.toMs)
      before.objects += look.objects
      line.firstAt = row.at
      continue
    }
    const begun: Line = { row, details, look, firstAt: row.at }
    lines.push(begun)
    if (look) open.set(look.key, begun)
  }
  return lines
}

const lookView = ({ row, look, firstAt }: Line) => {
  if (!look) return {}
  const { source, fromMs, toMs, objects } = look
  return { ...(firstAt < row.at && { firstAt: isoOf(firstAt) }), source, fromMs, toMs, objects }
}

export const accessPageView = ({ rows, labels, ...page }: AuditPage) => ({
  ...page,
  items: linesOf(rows).map((line) => {
    const { seq, at, actorKind, actorId, action, target } = line.row
    return {
      seq,
      at: isoOf(at),
      who: { kind: actorKind, id: actorId, name: labels.get(actorId) ?? null },
      what: action,
      ...targetOf(action, target),
      ...rangeOf(line.details),
      ...lookView(line),
    }
  }),
})
