import type { Judged } from './scale-judge.ts'
import type { Answered } from './scale-ledger.ts'

/** A trouble while it lasted, up to when the next one came. Epoch milliseconds. */
export interface Phase {
  readonly trouble: string
  readonly from: number
  readonly to: number
  /** Why it did not come. */
  readonly skipped?: string | undefined
}

const heads = ['trouble', 'seconds', 'acknowledged', 'lost', 'doubled webhooks', 'refused, in words'] as const

const counted = (texts: readonly string[]): [string, number][] => {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  return [...counts]
}

const wordsOf = (pairs: readonly [string, number][]): string =>
  pairs.map(([text, count]) => `${count} × ${text}`).join('; ') || '-'

type Seen = Pick<Judged, 'doubled' | 'lost'> & { readonly answers: readonly Answered[] }

const rowOf = ({ trouble, from, to, skipped }: Phase, { answers, lost, doubled }: Seen): readonly string[] => {
  if (skipped !== undefined) return [trouble, '', '', '', '', `SKIPPED: ${skipped}`]
  const within = <T extends { readonly at: number }>(all: readonly T[]) => all.filter(({ at }) => at >= from && at < to)
  const came = within(answers)
  const refusals = came.flatMap(({ refusal }) => refusal ?? [])
  const again = counted(within(doubled).map(({ id }) => id))
  const ids = again.length > 0 ? ` under ${again.length} ids` : ''
  return [
    trouble,
    ((to - from) / 1000).toFixed(1),
    String(came.length - refusals.length),
    String(within(lost).length),
    `${again.reduce((sum, [, count]) => sum + count, 0)}${ids}`,
    wordsOf(counted(refusals)),
  ]
}

/** What came of each trouble, a line each; numbers on the right. */
export const tableOf = (phases: readonly Phase[], seen: Seen): string => {
  const rows = [heads, ...phases.map((phase) => rowOf(phase, seen))]
  const widths = heads.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)))
  const cell = (text: string, column: number) => {
    if (column === 0) return text.padEnd(widths[0]!)
    return column < heads.length - 1 ? text.padStart(widths[column]!) : text
  }
  return rows.map((row) => row.map(cell).join('  ').trimEnd()).join('\n')
}
