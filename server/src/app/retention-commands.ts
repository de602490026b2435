import { parseArgs } from 'node:util'
import { ServiceError } from '@integrity/protocol'
import { dueAcrossOrgs } from '../domains/administration/retention/overdue.service.ts'
import { runSweep } from '../domains/administration/retention/sweep.service.ts'
import { inTx } from '../kernel/call.ts'
import { operator } from '../kernel/identity/actor.ts'
import { environments } from '../kernel/identity/scope.ts'
import type { Parts } from '../kernel/parts.ts'
import { type Command, flag, text, wholeNumber } from './admin-command.ts'

export const retentionUsage = `  retention preview [--org ORG_ID] [--days N]
      Says what is due now, or in N days, of each organisation, and what of it a legal hold keeps.
  retention run --org ORG_ID | --all
      Deletes what is due, as a member could, and ends with 1 where that fails for an organisation. The service never does it
      by itself: a timer that runs this is your decision.`

const objectsPerCall = 1000

const preview: Command = async ({ app, print }, args) => {
  const { values } = parseArgs({ args, options: { org: text, days: text } })
  const days = wholeNumber('days', values.days ?? '0', { least: 0, most: 36_500 })
  let orgs = 0
  for await (const { orgId, free, held } of dueAcrossOrgs(
    { ...app, reader: app.db.reader },
    { days, only: values.org },
  )) {
    orgs += 1
    print(
      `${orgId}: ${free.sessions} interviews, ${free.objects} objects, ${free.sizeBytes} bytes; held: ${held.sessions} interviews`,
    )
  }
  if (orgs === 0) print(days === 0 ? 'Nothing is due.' : `Nothing is due in ${days} days.`)
  return 0
}

/** Calls as many as it takes; each is a transaction of its own. */
const sweepOf = async (app: Parts, orgId: string) => {
  const sum = { sessions: 0, objects: 0 }
  for (;;) {
    const { sweep, done } = await app.db.transact((tx) =>
      runSweep(inTx({ ...app, actor: operator, scope: { orgId, environment: environments[0] } }, tx), {
        orgId,
        maxObjects: objectsPerCall,
      }),
    )
    sum.sessions += done.erasedSessions
    sum.objects += done.erasedObjects
    if (sweep.state === 'completed') return { ...sum, held: sweep.heldSessions }
    if (done.erasedSessions + done.erasedObjects === 0)
      throw new ServiceError('conflict', `${sweep.remaining} objects are due and could not be deleted`)
  }
}

const run: Command = async ({ app, print }, args) => {
  const { values } = parseArgs({ args, options: { org: text, all: flag } })
  if ((values.org === undefined) === (values.all !== true))
    throw new ServiceError('invalid_request', 'give --org ORG_ID, or --all')
  const call = { ...app, reader: app.db.reader }
  let [orgs, failed] = [0, 0]
  for await (const { orgId, free } of dueAcrossOrgs(call, { days: 0, only: values.org })) {
    if (free.sessions === 0) continue
    orgs += 1
    // What cannot be deleted of one organisation keeps nobody else's.
    await sweepOf(app, orgId).then(
      ({ sessions, objects, held }) =>
        print(`${orgId}: ${sessions} interviews erased, ${objects} objects; ${held} stay under legal hold`),
      (error: unknown) => {
        failed += 1
        print(`${orgId}: ${error instanceof Error ? error.message : String(error)}`)
      },
    )
  }
  if (orgs === 0) print('Nothing is due.')
  return failed === 0 ? 0 : 1
}

export const retentionCommands: Readonly<Record<string, Command>> = {
  'retention preview': preview,
  'retention run': run,
}
