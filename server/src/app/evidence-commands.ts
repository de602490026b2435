import { parseArgs } from 'node:util'
import { verifyEvidence } from '../domains/evidence/verify.service.ts'
import { type Command, flag, text } from './admin-command.ts'
import { recordFindingText, verifyRecords } from './verify-records.ts'

export const evidenceUsage = `  evidence verify [--org ORG_ID] [--json]
      Reads all evidence, holds each object to its row, and names every one that does not fit; and the same of whatever
      people read of a session (events, words, notes, sign-offs, consents, holds and the rest), which is held to the audit
      trail, and of evidence that the trail knows and nobody has. Verify the trail too: admin audit verify.`

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
  const done = await verifyEvidence(app, {
    orgId: values.org,
    report: (finding) =>
      print(
        values.json
          ? JSON.stringify(finding)
          : `${finding.orgId} ${finding.sessionId} ${finding.evidenceId}: ${words[finding.fault]} (${finding.fault})`,
      ),
  })
  const records = await verifyRecords(app, values.org, (finding) =>
    print(values.json ? JSON.stringify(finding) : recordFindingText(finding)),
  )
  const faults = done.faults + records.faults
  if (values.json) print(JSON.stringify({ ...done, sessions: records.sessions, faults }))
  else
    print(
      `${done.rows} rows, ${done.erased} of them erased, ${done.bytes} bytes read; records of ${records.sessions} sessions; ${faults} do not fit`,
    )
  return faults === 0 ? 0 : 1
}

export const evidenceCommands: Readonly<Record<string, Command>> = { 'evidence verify': verify }
