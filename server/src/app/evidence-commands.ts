import { parseArgs } from 'node:util'
import { ServiceError } from '@integrity/protocol'
import { anyOrg } from '../domains/organisation/orgs/orgs.service.ts'
import { verifyEvidence } from '../domains/recording/evidence/verify.service.ts'
import { type Command, flag, text } from './admin-command.ts'
import { databasePlace } from './existing-database.ts'
import { recordFindingText, verifyRecords } from './verify-records.ts'

export const evidenceUsage = `  evidence verify [--org ORG_ID] [--json]
      Reads all evidence, holds each object to its row, and names every one that does not fit; and the same of whatever
      people read of a session (events, words, notes, sign-offs, consents, holds and the rest), which is held to the audit
      trail, and of evidence that the trail knows and nobody has. Verify the trail too: admin audit verify. Ends with 1 where
      something does not fit, with 3 where a store could not be read and the rest fits.`

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
  if (!(await anyOrg(app)))
    throw new ServiceError(
      'invalid_request',
      `the database at ${databasePlace(app.config)} has no organisation, so nothing was verified: is DATA_DIR or DATABASE_URL missing?`,
    )
  const done = await verifyEvidence(app, {
    orgId: values.org,
    reportAway: (away) =>
      print(
        values.json
          ? JSON.stringify({ ...away, fault: 'unreadable' })
          : `${away.orgId}: its store cannot be read: ${away.cause}`,
      ),
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
      `${done.rows} rows, ${done.erased} of them erased, ${done.bytes} bytes read; records of ${records.sessions} sessions; ${faults} do not fit${
        done.unread > 0 ? `; ${done.unread} could not be read` : ''
      }`,
    )
  if (faults > 0) return 1
  return done.unread > 0 ? 3 : 0
}

export const evidenceCommands: Readonly<Record<string, Command>> = { 'evidence verify': verify }
