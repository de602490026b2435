import { parseArgs } from 'node:util'
import { ServiceError } from '@integrity/protocol'
import { getSession, scopeOfSession } from '../domains/interviews/sessions/sessions.read.service.ts'
import { endSession, eraseSession } from '../domains/interviews/sessions/sessions.service.ts'
import { inTx } from '../kernel/call.ts'
import { operator } from '../kernel/identity/actor.ts'
import type { Parts } from '../kernel/parts.ts'
import { type Erasure, readErasures } from '../platform/erasures-file.ts'
import { type Command, flag, text } from './admin-command.ts'
import { forgetRestored } from './restored-mark.ts'

export const eraseUsage = `  erase --org ORG_ID --session SESSION_ID
      Erases one interview, as its organisation would.
  erase --from-log FILE
      Erases again what a list says (erasures.jsonl), after a restore: interviews that are not here, or erased already, are
      passed over. A restored service serves only after this, or after
  erase --nothing-since
      which says that nothing was erased since the backup.`

type Outcome = 'erased' | 'was erased' | 'not here'

const eraseOne = async (app: Parts, { orgId, sessionId }: Omit<Erasure, 'at'>): Promise<Outcome> => {
  const reads = { ...app, reader: app.db.reader }
  const scope = await scopeOfSession(reads, { orgId, sessionId }).catch((error: unknown) => {
    if (error instanceof ServiceError && error.code === 'not_found') return undefined
    throw error
  })
  if (!scope) return 'not here'
  return app.db.transact(async (tx) => {
    const call = inTx({ ...app, scope, actor: operator }, tx)
    const { state, erasedAt } = await getSession(call, sessionId)
    if (erasedAt !== null) return 'was erased'
    // At the backup it was live; its end and its erasure came after.
    if (state === 'live') await endSession(call, { sessionId, input: { reason: 'erased' } })
    await eraseSession(call, sessionId)
    return 'erased'
  })
}

/** Erases again what a list says. Answers how many of each outcome; throws, with a line for each, where some could not be. */
const eraseAgain = async (
  app: Parts,
  list: readonly Erasure[],
  print: (line: string) => void,
): Promise<Readonly<Record<Outcome, number>>> => {
  const counts: Record<Outcome, number> = { erased: 0, 'was erased': 0, 'not here': 0 }
  let failed = 0
  const once = new Map(list.map((one) => [`${one.orgId} ${one.sessionId}`, one]))
  for (const one of once.values())
    try {
      counts[await eraseOne(app, one)] += 1
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      failed += 1
      print(`${one.orgId} ${one.sessionId}: ${error.message}`)
    }
  if (failed > 0)
    throw new ServiceError('conflict', `${failed} could not be erased; the service does not serve before they are`)
  return counts
}

export const readList = async (file: string): Promise<Erasure[]> => {
  try {
    return await readErasures(file)
  } catch (error) {
    throw new ServiceError('invalid_request', `${file}: ${(error as Error).message}`, { cause: error })
  }
}

export const eraseFromLog = async (
  app: Parts,
  list: readonly Erasure[],
  print: (line: string) => void,
): Promise<void> => {
  const counts = await eraseAgain(app, list, print)
  await forgetRestored(app.config.dataDir)
  print(`${counts.erased} erased, ${counts['was erased']} were erased already, ${counts['not here']} are not here.`)
}

const erase: Command = async ({ app, print }, args) => {
  const options = { org: text, session: text, 'from-log': text, 'nothing-since': flag } as const
  const { values } = parseArgs({ args, options })
  if (values['nothing-since']) {
    await forgetRestored(app.config.dataDir)
    print('Nothing was erased since the backup, so the service may start.')
    return 0
  }
  if (values['from-log'] !== undefined) {
    await eraseFromLog(app, await readList(values['from-log']), print)
    return 0
  }
  if (values.org === undefined || values.session === undefined)
    throw new ServiceError('invalid_request', 'give --org and --session, or --from-log FILE, or --nothing-since')
  const outcome = await eraseOne(app, { orgId: values.org, sessionId: values.session })
  print(`${values.session}: ${outcome}`)
  return outcome === 'not here' ? 1 : 0
}

export const eraseCommands: Readonly<Record<string, Command>> = { erase }
