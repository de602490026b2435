import { expect, it } from 'vitest'
import { CommitFailed, mapCommitError, mapDatabaseError } from './errors.ts'
import { outageOf } from './outage.ts'
import { openPostgres } from './postgres/postgres.db.ts'

const coded = (code: string, message = 'x') => Object.assign(new Error(message), { code })

it.each([
  ['ENOSPC', 'disk_full'],
  ['SQLITE_FULL', 'disk_full'],
  ['53100', 'disk_full'],
  ['EIO', 'disk_failing'],
  ['SQLITE_IOERR_WRITE', 'disk_failing'],
  ['EROFS', 'disk_read_only'],
  ['SQLITE_READONLY_DBMOVED', 'disk_read_only'],
  ['SQLITE_BUSY_SNAPSHOT', 'database_busy'],
  ['ECONNREFUSED', 'database_unreachable'],
  ...['57P01', '57P02', '57P03', '57P04', '57P05', '08000', '08001', '08006', '08P01', '25P03'].map(
    (code): [string, string] => [code, 'database_unreachable'],
  ),
  ['53300', 'database_connections'],
  ['57014', 'database_busy'],
])('%s from the database is %s, also behind a commit that failed and other wrappings', (code, cause) => {
  const outage = expect.objectContaining({ cause })
  expect(outageOf(mapDatabaseError(coded(code)))).toEqual(outage)
  expect(outageOf(mapCommitError(coded(code)))).toEqual(outage)
  expect(outageOf(new Error('could not be stored', { cause: mapDatabaseError(coded(code)) }))).toEqual(outage)
})

it('a connection that breaks while it commits leaves nobody to tell, and is an outage all the same', () => {
  const error = mapCommitError(new Error('Connection terminated unexpectedly'))
  expect(error).toBeInstanceOf(CommitFailed)
  expect(outageOf(error)?.cause).toBe('database_unreachable')
})

it('other errors are no outage, nor is a socket that is not the database', () => {
  for (const error of [new Error('x'), coded('ENOENT'), coded('ECONNRESET'), coded('23505'), 'text', undefined])
    expect(outageOf(error)).toBeUndefined()
})

it('a database server that is not there is an outage, whichever way it is asked', async () => {
  const db = openPostgres({ connectionString: 'postgres://nobody@127.0.0.1:1/none' })
  const asked = [db.reader.get('SELECT 1'), db.transact((tx) => tx.all('SELECT 1')), db.ping()]
  for (const result of await Promise.allSettled(asked)) {
    expect(result.status).toBe('rejected')
    if (result.status === 'rejected') expect(outageOf(result.reason)?.cause).toBe('database_unreachable')
  }
  await db.close()
})
