import { parseArgs } from 'node:util'
import { verifyEvidence } from '../domains/evidence/verify.service.ts'
import { type Command, flag, text } from './admin-command.ts'

export const evidenceUsage = `  evidence verify [--org ORG_ID] [--json]
      Reads all evidence, holds each object to its row, and names every one that does not fit.`

const words = {
  unbound: 'its row carries no MAC',
  row_changed: 'its row, header or place was changed',
  missing: 'there is no object where it should lie',
  object_changed: 'the stored object was cut, altered or replaced',
  signature_changed: 'the signature beside it is not one that its machine made of it',
  other_bytes: 'the object holds other bytes than its row says',
}

const verify: Command = async ({ app, print }, args) => {
  const { values } = parseArgs({ args, options: { org: text, json: flag } })
  const done = await verifyEvidence(app, values.org, (finding) =>
    print(
      values.json
        ? JSON.stringify(finding)
        : `${finding.orgId} ${finding.sessionId} ${finding.evidenceId}: ${words[finding.fault]} (${finding.fault})`,
    ),
  )
  if (values.json) print(JSON.stringify(done))
  else print(`${done.rows} rows, ${done.erased} of them erased, ${done.bytes} bytes read; ${done.faults} do not fit`)
  return done.faults === 0 ? 0 : 1
}

export const evidenceCommands: Readonly<Record<string, Command>> = { 'evidence verify': verify }
