import { describe, expect, it } from 'vitest'
import type { LedgerItem } from './agent.ts'
import { compareLedger } from './compare.ts'

const endedAt = '2026-03-02T10:00:00.000Z'
const item = (clientId: string, capturedAt = '2026-03-02T09:59:00.000Z'): LedgerItem => ({
  clientId,
  kind: 'screenshot',
  sha256: `hash of ${clientId}`,
  sizeBytes: 10,
  capturedAt,
})
const row = (clientId: string, sha256 = `hash of ${clientId}`) => ({ clientId, sha256 })
const compare = (ledger: LedgerItem[], stored: { clientId: string; sha256: string }[], adopted: string[] = []) =>
  compareLedger(ledger, stored, { endedAt, adopted: new Set(adopted) })

describe("the comparison of the agent's ledger with the server", () => {
  it('counts what is on both sides with the same hash', () => {
    const both = compare([item('a'), item('b')], [row('b'), row('a')])
    expect(both).toEqual({ delivered: 2, afterEnd: 0, adopted: 0, problems: [] })
  })

  it('names what is missing, doubled, altered or unknown', () => {
    const { problems } = compare([item('a'), item('b'), item('c')], [row('b'), row('b'), row('c', 'other'), row('d')])
    expect(problems).toEqual([
      'b is there 2 times',
      'screenshot a is missing',
      'screenshot c has another hash',
      'd was never captured',
    ])
  })

  it('expects what was captured after the end to be refused', () => {
    const late = item('late', '2026-03-02T10:00:00.001Z')
    expect(compare([late], [])).toMatchObject({ afterEnd: 1, problems: [] })
    expect(compare([late], [row('late')]).problems).toEqual(['screenshot late was captured after the end and is there'])
  })

  it('takes an item that the agent found on its disk after a kill for captured', () => {
    expect(compare([], [row('found')], ['found'])).toEqual({ delivered: 0, afterEnd: 0, adopted: 1, problems: [] })
  })
})
