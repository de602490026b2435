import { afterEach, describe, expect, it } from 'vitest'
import { waitForOlder } from '../../../src/app/older-processes.ts'
import { sayPresent } from '../../../src/kernel/shared/presence.store.ts'
import { migrations } from '../../../src/migrations/index.ts'
import { released } from '../../../src/migrations/released.ts'
import { migrateUp } from '../../../src/platform/db/migrate.ts'
import { type FreshDatabase, freshDatabase } from '../../test-support/databases.ts'
import { hasEngine } from '../../test-support/engines.ts'

describe.skipIf(!hasEngine('postgres'))('a process of this version', () => {
  let database: FreshDatabase
  afterEach(() => database.drop())

  /** What it says while it waits on a database that lacks these steps and has one living process. */
  const waits = async (lacking: readonly string[], isCommand = false) => {
    database = await freshDatabase('postgres')
    const db = database.open()
    await migrateUp(
      db,
      migrations.filter(({ name }) => !lacking.includes(name)),
    )
    let now = Date.now()
    await db.transact((tx) => sayPresent(tx, 'prc_older', now))
    const said: string[] = []
    let sleeps = 0
    await waitForOlder({
      db,
      clock: {
        now: () => now,
        sleep: async (ms) => {
          sleeps += 1
          now += ms
        },
      },
      log: { warn: (_: unknown, text: string) => void said.push(text) } as never,
      isCommand,
    })
    return { said, sleeps }
  }

  it('waits, and says so, while one from before the last release serves, until that is gone', async () => {
    const { said, sleeps } = await waits(['0405-vouched-sign-ins'])
    expect(said).toEqual([expect.stringContaining('cannot stand beside this one')])
    expect(sleeps).toBeGreaterThan(3)
  })

  it('is refused where it is a command, which nobody would see waiting', async () => {
    await expect(waits(['0405-vouched-sign-ins'], true)).rejects.toThrow(
      '1 processes of a version before the last release',
    )
  })

  it('waits for none of the last release', async () => {
    const newest = migrations.at(-1)!.name
    expect(await waits(newest === released ? [] : [newest])).toEqual({ said: [], sleeps: 0 })
  })
})
