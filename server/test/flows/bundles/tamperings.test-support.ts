import { signCheckpoint } from '../../../src/kernel/audit/audit.checkpoint.ts'
import { type Line, type Members, sealed } from './bundles.test-support.ts'
import { jsonIn, linesIn, type Material, type Tampering, toolsFor } from './tampering.test-support.ts'
import { captureTamperings } from './tamperings-of-capture.test-support.ts'
import { recordTamperings } from './tamperings-of-records.test-support.ts'

const flipped = (bytes: Buffer, at: number): Buffer => {
  const other = Buffer.from(bytes)
  other.writeUInt8(other.readUInt8(at) ^ 1, at)
  return other
}

const text = (members: Members, path: string) => members.get(path)!.toString()
const changed = (...paths: string[]) => paths.map((path) => `part_changed ${path}`).sort()

/** By whoever has the file, and no key. */
const withoutKey = (material: Material): Tampering[] => {
  const { members, other, seal, foreign } = material
  const { put, without, changeLines, paths } = toolsFor(material)
  const [still, second, sound] = paths as [string, string, string]
  const leftOut = (manifest: string) =>
    manifest.replace(new RegExp(`("path":"${still}".*),"size":\\d+,"sha256":"\\w+"}`), '$1,"leftOut":"erased"}')
  const [row] = linesIn<{ seq: string }>(members, 'transcript.jsonl')
  const tampered = (name: string, made: Tampering['members'], faults: readonly string[]) => ({
    name,
    members: made,
    faults,
  })
  return [
    tampered('a byte of a still is flipped', put(still, flipped(members.get(still)!, 100)), changed(still)),
    tampered('a sound is cut', put(sound, members.get(sound)!.subarray(0, -1)), changed(sound)),
    tampered(
      'a byte is put before the session',
      put('session.json', Buffer.concat([Buffer.from(' '), members.get('session.json')!])),
      changed('session.json'),
    ),
    tampered(
      'two stills change places',
      new Map([...members, [still, members.get(second)!], [second, members.get(still)!]]),
      changed(still, second),
    ),
    tampered(
      'two events change places',
      changeLines('events.jsonl', (lines) => lines.reverse()),
      changed('events.jsonl'),
    ),
    tampered(
      'a sentence is taken out without a trace',
      changeLines('transcript.jsonl', (lines) => lines.slice(1)),
      changed('transcript.jsonl'),
    ),
    tampered(
      'a sentence is put in',
      changeLines('transcript.jsonl', (lines) => [...lines, row]),
      changed('transcript.jsonl'),
    ),
    tampered(
      'a line is said to be another that was taken out',
      changeLines('events.jsonl', ([, ...lines]) => [{ redacted: 'ab'.repeat(32) }, ...lines]),
      changed('events.jsonl'),
    ),
    tampered(
      'the session is that of another bundle',
      put('session.json', other.get('session.json')!),
      changed('session.json'),
    ),
    tampered(
      'the consents are those of another bundle',
      put('consents.json', Buffer.from('[]\n')),
      changed('consents.json'),
    ),
    tampered('a file is added', put('evidence/more.webp', members.get(still)!), ['part_added evidence/more.webp']),
    tampered(
      'a part comes twice',
      [...members, [still, flipped(members.get(still)!, 7)]],
      [...changed(still), `part_twice ${still}`],
    ),
    tampered(
      'a still is taken out, and the manifest says that it was erased',
      new Map([...without(still), ['manifest.jsonl', Buffer.from(leftOut(text(members, 'manifest.jsonl')))]]),
      [`left_out_wrong ${still}`, 'manifest_changed manifest.jsonl'],
    ),
    tampered(
      'the manifest has another order',
      changeLines('manifest.jsonl', ([head, ...parts]) => [head, ...parts.reverse()]),
      ['manifest_changed manifest.jsonl'],
    ),
    tampered('the manifest is cut in a line', put('manifest.jsonl', members.get('manifest.jsonl')!.subarray(0, -9)), [
      'manifest_changed manifest.jsonl',
    ]),
    tampered('the seal is that of another bundle', put('seal.txt', other.get('seal.txt')!), [
      'manifest_changed manifest.jsonl',
    ]),
    tampered(
      'the seal has another size',
      put('seal.txt', Buffer.from(text(members, 'seal.txt').replace(/\n\d+\n/, '\n9\n'))),
      ['seal_broken seal.txt'],
    ),
    tampered('the seal is gone', without('seal.txt'), ['seal_broken seal.txt']),
    tampered('a checkpoint of the audit stands for the seal', put('seal.txt', members.get('audit-checkpoint.txt')!), [
      'seal_broken seal.txt',
    ]),
    tampered('everything is sealed anew by a foreign key', sealed({ ...seal, key: foreign }, members), [
      'seal_broken seal.txt',
    ]),
    tampered(
      'the checkpoint is an older one',
      put('audit-checkpoint.txt', other.get('audit-checkpoint.txt')!),
      changed('audit-checkpoint.txt'),
    ),
  ]
}

interface AuditLine {
  row: string
  payload: string | null
  path: string[]
  leafIndex: number
}
const rowOf = ({ row }: AuditLine) => JSON.parse(row) as { seq: number; action: string; target: string }

/** By whoever has the key, against the audit chain. */
const ofAudit = (material: Material): Tampering[] => {
  const { members, other, seal, foreign } = material
  const { put, changeLines, insider } = toolsFor(material)
  const rows = linesIn<AuditLine>(members, 'audit.jsonl')
  const seqs = rows.map((line) => rowOf(line).seq)
  const audit = (by: (lines: AuditLine[]) => AuditLine[]) => insider(changeLines<AuditLine>('audit.jsonl', by))
  const first = (by: (line: AuditLine) => object) => audit(([line, ...lines]) => [{ ...line!, ...by(line!) }, ...lines])
  const head = { seq: seqs.at(-1)! + 20, hash: 'ab'.repeat(32) }
  const checkpoint = (note: string) => insider(put('audit-checkpoint.txt', Buffer.from(note)))
  const others = linesIn<AuditLine>(other, 'audit.jsonl').slice(0, 1)
  return [
    {
      name: 'a row of the audit says another action',
      members: first(({ row }) => ({ row: row.replace('session.created', 'session.removed') })),
      faults: [`audit_row_broken row ${seqs[0]}`],
    },
    {
      name: 'a row comes with the proof of another',
      members: audit(([one, two, ...lines]) => [{ ...one!, path: two!.path }, two!, ...lines]),
      faults: [`audit_row_broken row ${seqs[0]}`],
    },
    {
      name: 'a row stands for another',
      members: first(() => ({ row: rows[1]!.row })),
      faults: [`audit_row_broken row ${seqs[1]}`, `audit_row_broken row ${seqs[1]}`],
    },
    {
      name: 'a row comes with another payload',
      members: first(() => ({ payload: '{"candidateLabel":"Candidate 13"}' })),
      faults: [`audit_payload_broken row ${seqs[0]}`],
    },
    {
      name: 'two rows change places',
      members: audit(([one, two, ...lines]) => [two!, one!, ...lines]),
      faults: [`audit_row_broken row ${seqs[0]}`],
    },
    {
      name: 'the checkpoint was signed before the last rows',
      members: checkpoint(text(other, 'audit-checkpoint.txt')),
      faults: ['checkpoint_older audit-checkpoint.txt'],
    },
    {
      name: 'the checkpoint is signed by a foreign key',
      members: checkpoint(signCheckpoint(foreign, seal.orgId, head, 'tree')),
      faults: ['checkpoint_broken audit-checkpoint.txt'],
    },
    {
      name: 'the checkpoint is that of another organisation',
      members: checkpoint(signCheckpoint(seal.key, 'org_other', head, 'tree')),
      faults: ['checkpoint_broken audit-checkpoint.txt'],
    },
    {
      name: 'the checkpoint is of another tree',
      members: checkpoint(signCheckpoint(seal.key, seal.orgId, head, 'tree')),
      faults: seqs.map((seq) => `audit_row_broken row ${seq}`).sort(),
    },
    {
      name: 'the rows are those of another session',
      members: insider(
        new Map([
          ...changeLines('audit.jsonl', () => others),
          ['audit-checkpoint.txt', other.get('audit-checkpoint.txt')!] as const,
        ]),
      ),
      faults: [`part_foreign row ${rowOf(others[0]!).seq}`],
    },
  ]
}

/** By whoever has the key, against what the session had. */
const ofSession = (material: Material): Tampering[] => {
  const { members, other } = material
  const { put, without, change, changeLines, insider, paths, idOf } = toolsFor(material)
  const [still] = paths as [string]
  const id = idOf(still)
  const saidErased = (part: Line) =>
    part.path === still ? { ...part, size: undefined, sha256: undefined, leftOut: 'erased' } : part
  const report = 'reports/report-1.json'
  type Consents = { recordedAt: string; shown: { lanes: { text: string }[] } }[]
  const [{ recordedAt }] = jsonIn<Consents>(members, 'consents.json') as [Consents[number]]
  return [
    {
      name: 'a still is said to be erased, and is not',
      members: insider(without(still), saidErased),
      faults: [`left_out_wrong ${still}`],
    },
    {
      name: 'a still is said to be left out, and is here',
      members: insider(members, (part) => (part.path === still ? { ...part, leftOut: 'not_chosen' } : part)),
      faults: [`left_out_wrong ${still}`],
    },
    {
      name: 'the manifest does not name a still',
      members: insider(without(still), (part) => (part.path === still ? undefined : part)),
      faults: [`evidence_not_listed ${id}`],
    },
    {
      name: 'a still has other bytes',
      members: insider(put(still, flipped(members.get(still)!, 100))),
      faults: [`evidence_not_as_listed ${still}`],
    },
    {
      name: 'a still is said to be of another time',
      members: insider(members, (part) =>
        part.path === still
          ? { ...part, evidence: { ...(part['evidence'] as object), capturedAt: '2026-01-01T00:00:00.000Z' } }
          : part,
      ),
      faults: [`evidence_not_as_listed ${still}`],
    },
    {
      name: 'the session is another one',
      members: insider(put('session.json', other.get('session.json')!)),
      faults: ['part_foreign session.json'],
    },
    {
      name: 'an event is of another session',
      members: insider(changeLines('events.jsonl', ([, ...lines]) => [linesIn(other, 'events.jsonl')[0], ...lines])),
      faults: ['part_foreign events.jsonl'],
    },
    {
      name: 'the report is that of another session',
      members: insider(put(report, other.get(report)!)),
      faults: [`part_foreign ${report}`, `report_not_as_signed ${report}`, `sign_off_changed ${report}`],
    },
    {
      name: 'the report has another time than was signed',
      members: insider(put(report, Buffer.from(text(members, report).replace('"durationMs":', '"durationMs":1')))),
      faults: [`report_not_as_signed ${report}`, `sign_off_changed ${report}`],
    },
    {
      name: 'another person is said to have signed',
      members: insider(
        change<object[]>('reports/sign-offs.json', (all) => all.map((one) => ({ ...one, signerName: 'Somebody' }))),
      ),
      faults: [`sign_off_changed ${report}`],
    },
    {
      name: 'a consent says other words',
      members: insider(
        put(
          'consents.json',
          Buffer.from(text(members, 'consents.json').replace('"retentionDays": 90', '"retentionDays": 91')),
        ),
      ),
      faults: [`consent_not_as_shown ${recordedAt}`],
    },
  ]
}

/** One of every kind, each with the faults that are to be named. */
export const tamperings = (material: Material): Tampering[] => [
  ...withoutKey(material),
  ...ofAudit(material),
  ...ofSession(material),
  ...captureTamperings(material),
  ...recordTamperings(material),
]
