import type { KeyObject } from 'node:crypto'
import { parseArgs } from 'node:util'
import { ServiceError } from '@integrity/protocol'
import { verifyAudit } from '../domains/audit/audit.service.ts'
import { parseVerifierKey } from '../kernel/audit/audit.checkpoint.ts'
import { type Command, flag, many, need, text } from './admin-command.ts'

export const auditUsage = `  audit verify --org ORG_ID [--earlier-key KEY …] [--json]
      Recomputes the organisation's hash chain and names the first row that fails, with the reason. A checkpoint that is
      signed by another key than this server's is a failure, unless --earlier-key names that key in its text form.`

const keyOf = (given: string): KeyObject => {
  const key = parseVerifierKey(given)
  if (key) return key
  throw new ServiceError('invalid_request', `--earlier-key ${given} is no verifier key: NAME+HASH+KEY`)
}

const auditVerify: Command = async ({ app, print }, args) => {
  const { values } = parseArgs({ args, options: { org: text, 'earlier-key': many, json: flag } })
  need(values, ['org'])
  const earlierKeys = (values['earlier-key'] ?? []).map(keyOf)
  const result = await verifyAudit(app, values.org ?? '', { earlierKeys })
  if (values.json) print(JSON.stringify(result))
  else if (result.ok) print(`the chain holds: ${result.rows} rows, ${result.checkpoints} checkpoints`)
  else print(`the chain is broken at row ${result.firstFailure.seq}: ${result.firstFailure.reason}`)
  return result.ok ? 0 : 1
}

export const auditCommands: Readonly<Record<string, Command>> = { 'audit verify': auditVerify }
