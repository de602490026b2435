import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../../test/test-support/databases.ts'
import { hasEngine } from '../../../../test/test-support/engines.ts'
import { frozenPostgres } from '../../../../test/test-support/frozen-proxy.ts'
import { PostgresWakes } from './postgres.wakes.ts'

describe.runIf(hasEngine('postgres'))('wake-ups from other processes', { timeout: 60_000 }, () => {
  let database: FreshDatabase
  let writer: pg.Client
  beforeAll(async () => {
    database = await freshDatabase('postgres')
    writer = new pg.Client({ connectionString: database.databaseUrl! })
    await writer.connect()
  })
  afterAll(async () => {
    await writer.end()
    await database.drop()
  })

  it('that are not heard any more, because the address is silent, are told, and told again when they are', async () => {
    const proxy = await frozenPostgres(database.databaseUrl!)
    const told: (Error | undefined)[] = []
    let next = Promise.withResolvers<void>()
    const woken = { calls: 0, next: Promise.withResolvers<void>() }
    const wakes = new PostgresWakes({
      connectionString: proxy.url,
      beatMs: 20,
      send: (channel) => writer.query('SELECT pg_notify($1, $2)', [channel, '']),
      onChange: (lost) => {
        told.push(lost)
        next.resolve()
      },
    })
    wakes.listen('things', () => woken.next.resolve())
    await woken.next.promise
    expect([wakes.hears, told]).toEqual([true, []])
    proxy.freeze()
    await next.promise
    expect([wakes.hears, told]).toEqual([false, [expect.any(Error)]])
    next = Promise.withResolvers<void>()
    woken.next = Promise.withResolvers<void>()
    proxy.thaw()
    await next.promise
    expect([wakes.hears, told]).toEqual([true, [expect.any(Error), undefined]])
    await woken.next.promise
    await wakes.close()
    await proxy.close()
  })

  it('are not taken for lost where this process cannot send, which says nothing of what it hears', async () => {
    const told: (Error | undefined)[] = []
    const sent = Promise.withResolvers<void>()
    let tries = 0
    const wakes = new PostgresWakes({
      connectionString: database.databaseUrl!,
      beatMs: 5,
      send: () => {
        tries += 1
        if (tries === 5) sent.resolve()
        return Promise.reject(new Error('away'))
      },
      onChange: (lost) => void told.push(lost),
    })
    wakes.listen('things', () => undefined)
    await sent.promise
    expect([wakes.hears, told]).toEqual([true, []])
    await wakes.close()
  })
})
