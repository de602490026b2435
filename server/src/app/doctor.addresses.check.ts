import type { Config } from '../kernel/config.ts'
import { openDb } from '../platform/db/open-db.ts'
import { passesWakesOn } from '../platform/db/postgres/postgres.hearing.ts'
import { identityAt } from '../platform/db/postgres/postgres.identity.ts'
import { ReplicaUnusable } from '../platform/db/postgres/replica.types.ts'
import { type Finding, wordsOf } from './doctor.finding.ts'
import { databasePlace } from './existing-database.ts'

const place = (config: Config, databaseUrl: string): string => databasePlace({ ...config, databaseUrl })

/** Whether the address behind the pooler is the database that the pooler leads to. */
const checkDirect = async (config: Config, database: string, direct: string): Promise<Finding> => {
  const subject = 'direct'
  try {
    const [ours, theirs] = await Promise.all([identityAt(database), identityAt(direct)])
    if (ours === theirs)
      return { subject, state: 'ok', reason: `${place(config, direct)} is the database that DATABASE_URL leads to` }
    return {
      subject,
      state: 'mend',
      reason: `${place(config, direct)} is another database than that of DATABASE_URL`,
      todo: 'set DATABASE_DIRECT_URL to the server that the pooler of DATABASE_URL passes on to',
    }
  } catch (error) {
    return {
      subject,
      state: 'mend',
      reason: `${place(config, direct)}: ${wordsOf(error)}`,
      todo: 'look whether it can be reached without the pooler: psql "$DATABASE_DIRECT_URL" -c "select 1"',
    }
  }
}

/** Whether other processes are heard at the address where this one listens: not at a pooler in transaction mode. */
const checkHearing = async (config: Config, at: string): Promise<Finding> => {
  const subject = 'wake-ups'
  const isDirect = config.databaseDirectUrl !== undefined
  const setting = isDirect ? 'DATABASE_DIRECT_URL' : 'DATABASE_URL'
  try {
    if (await passesWakesOn(at)) return { subject, state: 'ok', reason: `${place(config, at)} passes them on` }
    return {
      subject,
      state: 'mend',
      reason: `${place(config, at)} takes LISTEN and passes nothing on: ${setting} names a pooler in transaction mode`,
      todo: `set DATABASE_DIRECT_URL to the server ${isDirect ? 'itself' : 'behind it'}; see docs/operating/postgres.md`,
    }
  } catch (error) {
    return {
      subject,
      state: 'mend',
      reason: `${place(config, at)}: ${wordsOf(error)}`,
      todo: `look whether it runs and takes what ${setting} says; streams and jobs come seconds late meanwhile`,
    }
  }
}

/** Whether the replica follows, and how closely. Lists are read from the primary where it does not. */
const checkReplica = async (config: Config, replica: string): Promise<Finding> => {
  const subject = 'replica'
  const db = await openDb(config)
  try {
    const found = await db.replica?.look()
    if (found?.isCurrent !== false)
      return { subject, state: 'ok', reason: `${place(config, replica)} has all that is in the database` }
    return {
      subject,
      state: 'note',
      reason: `${place(config, replica)} is behind by ${found.bytesBehind} bytes of the log`,
      todo: 'lists are read from the primary meanwhile; see there: select * from pg_stat_replication',
    }
  } catch (error) {
    const todo =
      error instanceof ReplicaUnusable
        ? 'set DATABASE_READ_URL to a streaming replica of the database, or take it out'
        : 'look whether it runs and takes what DATABASE_READ_URL says; lists are read from the primary meanwhile'
    return { subject, state: 'mend', reason: `${place(config, replica)}: ${wordsOf(error)}`, todo }
  } finally {
    await db.close()
  }
}

/** The other addresses of the database, where there are any. */
export const checkAddresses = async (config: Config): Promise<readonly Finding[]> => {
  const { databaseUrl, databaseDirectUrl, databaseReadUrl } = config
  if (databaseUrl === undefined) return []
  return [
    await checkHearing(config, databaseDirectUrl ?? databaseUrl),
    ...(databaseDirectUrl === undefined ? [] : [await checkDirect(config, databaseUrl, databaseDirectUrl)]),
    ...(databaseReadUrl === undefined ? [] : [await checkReplica(config, databaseReadUrl)]),
  ]
}
