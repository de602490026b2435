import { describe, expect, it } from 'vitest'
import { type ComparedReport, differenceOf } from './report-difference.ts'

const report: ComparedReport = {
  asOf: '2026-01-01T10:00:00.000Z',
  signOff: null,
  lanes: [{ lane: 'screen', observedMs: 60_000, heldMs: 50_000, gaps: [{}] }],
  inventory: [{ objects: 5, erasedObjects: 0 }],
  signals: { total: 3 },
  statements: [{ at: '2026-01-01T10:01:00.000Z', text: 'It was my neighbour.' }],
  notes: [{ id: 'n1', text: 'One.', author: { name: 'Asha' }, createdAt: '2026-01-01T10:02:00.000Z' }],
  annotations: [],
}

describe('two revisions of a report', () => {
  it('differ in nothing where they say the same', () => {
    expect(differenceOf(report, { ...report, asOf: '2026-01-02T10:00:00.000Z' })).toEqual({ figures: [], words: [] })
  })

  it('differ in words that one of them has alone, in the order of time', () => {
    const annotation = { id: 'a1', text: 'A cable.', author: { name: 'Ben' }, createdAt: '2026-01-01T09:00:00.000Z' }
    const { words } = differenceOf(report, { ...report, notes: [], annotations: [annotation] })
    expect(words.map(({ kind, change, text, by }) => [kind, change, text, by])).toEqual([
      ['annotation', 'added', 'A cable.', 'Ben'],
      ['note', 'gone', 'One.', 'Asha'],
    ])
  })

  it('say what the candidate wrote meanwhile, also where an earlier one says nothing of it', () => {
    const { statements: _none, ...earlier } = report
    expect(differenceOf(earlier, report).words).toEqual([
      { kind: 'statement', change: 'added', text: 'It was my neighbour.', by: null, at: '2026-01-01T10:01:00.000Z' },
    ])
  })

  it('differ in figures of each lane and of the whole, erased items not counted', () => {
    const after = {
      ...report,
      lanes: [{ lane: 'screen', observedMs: 60_000, heldMs: 55_000, gaps: [] }],
      inventory: [{ objects: 5, erasedObjects: 5 }],
      signals: { total: 4 },
    }
    expect(differenceOf(report, after).figures).toEqual([
      { what: 'items', before: 5, after: 0 },
      { what: 'signals', before: 3, after: 4 },
      { what: 'held', lane: 'screen', before: 50_000, after: 55_000 },
      { what: 'gaps', lane: 'screen', before: 1, after: 0 },
    ])
  })
})
