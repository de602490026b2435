import { describe, expect, it } from 'vitest'
import { accessPageView } from './audit.access.view.ts'
import type { ListedRow } from './audit.list.store.ts'

const minute = 60_000

/** A look at a stretch of minutes, so many minutes into the day. */
const look = (
  at: number,
  [from, to]: readonly [number, number],
  more: Partial<ListedRow> & { source?: string } = {},
) => {
  const { source = 'screen:d1', ...row } = more
  return {
    seq: at,
    at: at * minute,
    actorKind: 'user',
    actorId: 'usr_1',
    action: 'evidence.played',
    target: 'ses_1',
    sessionId: 'ses_1',
    hash: '',
    payload: JSON.stringify({ source, size: 'full', fromMs: from * minute, toMs: to * minute, objects: 10, root: '' }),
    ...row,
  }
}
const lines = (...rows: readonly ListedRow[]) => {
  const newestFirst = rows.toSorted((a, b) => b.seq - a.seq)
  const page = { rows: newestFirst, labels: new Map(), total: rows.length, totalIsExact: true, limit: 100, offset: 0 }
  return accessPageView({ ...page, nextCursor: null }).items.map((item) => {
    const { fromMs = 0, toMs = 0, objects } = item as { fromMs?: number; toMs?: number; objects?: number }
    return [item.seq, fromMs / minute, toMs / minute, objects]
  })
}

describe('a page of the access log', () => {
  it('has one line for what somebody looked through on and on', () => {
    expect(lines(look(1, [0, 1]), look(2, [1, 2]), look(3, [2, 3]))).toEqual([[3, 0, 3, 30]])
  })

  it('joins each source for itself, however they take turns', () => {
    const sound = { source: 'microphone' }
    expect(lines(look(1, [0, 1]), look(2, [0, 1], sound), look(3, [1, 2]), look(4, [1, 2], sound))).toEqual([
      [4, 0, 2, 20],
      [3, 0, 2, 20],
    ])
  })

  it('begins another line for another person, another place, and after a while', () => {
    expect(lines(look(1, [0, 1]), look(2, [1, 2], { actorId: 'usr_2' }))).toHaveLength(2)
    expect(lines(look(1, [0, 1]), look(2, [5, 6]))).toHaveLength(2)
    expect(lines(look(1, [0, 1]), look(40, [1, 2]))).toHaveLength(2)
  })

  it('keeps other rows as they are, and looks of which an erasure took the place', () => {
    const download = { ...look(2, [0, 0]), action: 'evidence.downloaded', target: 'evd_1', payload: null }
    const page = lines(look(1, [0, 1]), download, look(3, [1, 2]), { ...look(4, [0, 0]), payload: null })
    expect(page).toEqual([
      [4, 0, 0, undefined],
      [3, 0, 2, 20],
      [2, 0, 0, undefined],
    ])
  })
})
