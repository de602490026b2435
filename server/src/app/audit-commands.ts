import type { KeyObject } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { ServiceError } from '@integrity/protocol'
import {
  type TimestampReport,
  verifyTimestamps,
} from '../domains/administration/timestamps/timestamps.verify.service.ts'
import { proveGrowth, proveRow, verifyAgainst } from '../domains/recording/audit/audit.proof.service.ts'
import { verifyAudit } from '../domains/recording/audit/audit.service.ts'
import { parseVerifierKey } from '../kernel/audit/audit.checkpoint.ts'
import { type Command, flag, many, need, text } from './admin-command.ts'
import { type RecordFinding, recordFindingText, verifyRecords } from './verify-records.ts'

export const auditUsage = `  audit verify --org ORG_ID [--against FILE] [--earlier-key KEY …] [--time-ca FILE] [--json]
      Recomputes the organisation's hash chain and names the first row that fails, with the reason; then holds whatever people
      read of its sessions against what the rows commit to, and names each that differs. A checkpoint that is
      signed by another key than this server's is a failure, unless --earlier-key names that key in its text form. --against holds the chain against checkpoints that you kept, of the chain or its tree.
      Time stamps of checkpoints are checked too: they must lead to a certificate of --time-ca (PEM), else of the settings.
  audit prove --org ORG_ID (--row N | --from N) [--size N] [--earlier-key KEY …]
      Writes a proof as JSON (RFC 9162): that row N is in the chain, or that its first N rows are still the first of --size (all).`

const keyOf = (given: string): KeyObject => {
  const key = parseVerifierKey(given)
  if (key) return key
  throw new ServiceError('invalid_request', `--earlier-key ${given} is no verifier key: NAME+HASH+KEY`)
}

const keptText = async (file: string): Promise<string> => {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw new ServiceError('invalid_request', `cannot read ${file}: ${(error as Error).message}`, { cause: error })
  }
}

const timestampFaults: Readonly<Record<TimestampReport['findings'][number]['fault'], string>> = {
  unreadable: 'cannot be read',
  refused: 'is a refusal',
  other_imprint: 'is of another checkpoint',
  other_nonce: 'answers another request',
  other_policy: 'was given under another policy',
  signature_broken: 'is not signed by the certificate that it names',
  certificate_unfit: 'is by a certificate that is not for time stamps, or was not valid then',
  authority_unknown: 'is by an authority that nobody named; name its certificate with --time-ca',
  no_checkpoint: 'has no checkpoint beside it',
  other_time: 'states another time than its row',
}

const printTimestamps = (print: (line: string) => void, report: TimestampReport): void => {
  const { checkpoints, stamped, without, newest, findings } = report
  if (stamped + findings.length === 0) {
    print('no checkpoint has a time stamp')
    return
  }
  for (const { rows, fault } of findings)
    print(`the time stamp of the checkpoint at row ${rows} ${timestampFaults[fault]} (${fault})`)
  const last = newest ? `; that at row ${newest.rows} was stamped at ${newest.at} by ${newest.authority}` : ''
  print(`time stamps of ${stamped} of ${checkpoints} checkpoints hold, ${without} have none${last}`)
}

const verifyOptions = { org: text, against: text, 'earlier-key': many, 'time-ca': text, json: flag } as const

const auditVerify: Command = async ({ app, print }, args) => {
  const { values } = parseArgs({ args, options: verifyOptions })
  need(values, ['org'])
  const earlierKeys = (values['earlier-key'] ?? []).map(keyOf)
  const org = values.org ?? ''
  const result =
    values.against === undefined
      ? await verifyAudit(app, { orgId: org, earlierKeys })
      : await verifyAgainst(app, { orgId: org, text: await keptText(values.against), earlierKeys })
  const findings: RecordFinding[] = []
  const { sessions } = await verifyRecords(app, org, (finding) => findings.push(finding))
  const certificates = values['time-ca'] === undefined ? undefined : await keptText(values['time-ca'])
  const timestamps = await verifyTimestamps({ reader: app.db.reader }, { orgId: org, certificates })
  if (values.json) print(JSON.stringify({ ...result, records: { sessions, findings }, timestamps }))
  else if (result.ok) print(`the chain holds: ${result.rows} rows, ${result.checkpoints} checkpoints`)
  else print(`the chain is broken at row ${result.firstFailure.seq}: ${result.firstFailure.reason}`)
  if (!values.json) {
    for (const finding of findings) print(recordFindingText(finding))
    print(`records of ${sessions} sessions; ${findings.length} do not fit`)
    printTimestamps(print, timestamps)
  }
  return result.ok && findings.length === 0 && timestamps.findings.length === 0 ? 0 : 1
}

const auditProve: Command = async ({ app, print }, args) => {
  const options = { org: text, row: text, from: text, size: text, 'earlier-key': many } as const
  const { values } = parseArgs({ args, options })
  need(values, ['org', values.from === undefined ? 'row' : 'from'])
  const org = values.org ?? ''
  const more = { size: values.size === undefined ? undefined : Number(values.size) }
  const earlierKeys = (values['earlier-key'] ?? []).map(keyOf)
  const proof =
    values.from === undefined
      ? await proveRow(app, { orgId: org, ...more, earlierKeys, row: Number(values.row) })
      : await proveGrowth(app, { orgId: org, ...more, earlierKeys, from: Number(values.from) })
  print(JSON.stringify(proof))
  return 0
}

export const auditCommands: Readonly<Record<string, Command>> = {
  'audit verify': auditVerify,
  'audit prove': auditProve,
}
