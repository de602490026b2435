import type { Line } from './bundles.test-support.ts'
import { linesIn, type Material, type Tampering, toolsFor } from './tampering.test-support.ts'

interface RecordLine extends Line {
  readonly kind: string
  readonly id: string
  readonly text: string
}
interface AuditLine extends Line {
  readonly row: string
}

/** By whoever has the key, against what the rows of the audit commit to. */
export const recordTamperings = (material: Material): Tampering[] => {
  const { members } = material
  const { changeLines, insider } = toolsFor(material)
  const [, ...records] = linesIn<RecordLine>(members, 'records.jsonl')
  const one = (kind: string) => records.find((line) => line.kind === kind)!
  const nameOf = ({ kind, id }: RecordLine) => `${kind} ${id}`
  const change = (by: (first: Line, lines: RecordLine[]) => unknown[]) =>
    insider(changeLines<RecordLine>('records.jsonl', ([first, ...lines]) => by(first!, lines)))
  const changed = ['session', 'consent', 'evidence', 'evidence_said', 'sign_off', 'review', 'window'].map((kind) => {
    const text = one(kind).text.replace(/":(?=.)/, '": ')
    return {
      name: `a record says something else: ${kind}`,
      members: change((first, lines) => [
        first,
        ...lines.map((line) => (nameOf(line) === nameOf(one(kind)) ? { ...line, text } : line)),
      ]),
      faults: [`record_changed ${nameOf(one(kind))}`],
    }
  })
  const consent = one('consent')
  const forged = { ...consent, id: 'cns_forged' }
  const gap = {
    lane: 'screen',
    displayId: '',
    reason: 'paused',
    fromAt: '2026-01-01T00:00:00.000Z',
    toAt: '2026-01-01T00:01:00.000Z',
  }
  const stored = linesIn<AuditLine>(members, 'audit.jsonl').find(({ row }) => row.includes('"session.created"'))!
  const { seq } = JSON.parse(stored.row) as { seq: number }
  return [
    ...changed,
    {
      name: 'a record is gone',
      members: change((first, lines) => [first, ...lines.filter((line) => line.id !== consent.id)]),
      faults: [`record_removed ${nameOf(consent)}`],
    },
    {
      name: 'a record is there that nobody wrote',
      members: change((first, lines) => [first, ...lines, forged]),
      faults: [`record_added ${nameOf(forged)}`],
    },
    {
      name: 'a gap is there that no event tells of',
      members: change((first, lines) => [{ ...first, gaps: [gap] }, ...lines]),
      faults: ['gaps_changed records.jsonl'],
    },
    {
      name: 'the payload of a row is gone, and nothing erased it',
      members: insider(
        changeLines<AuditLine>('audit.jsonl', (lines) =>
          lines.map((line) => (line.row === stored.row ? { ...line, payload: null, salt: null } : line)),
        ),
      ),
      faults: [`audit_payload_removed row ${seq}`],
    },
  ]
}
