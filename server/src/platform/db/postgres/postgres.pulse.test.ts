import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../../test/test-support/databases.ts'
import { hasEngine } from '../../../../test/test-support/engines.ts'
import { postgresPulse } from './postgres.pulse.ts'

/** This thread, and with it everything in the process, for so long. */
const standStill = (ms: number): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)

describe.runIf(hasEngine('postgres'))('the pulse of a Postgres', () => {
  let database: FreshDatabase
  beforeAll(async () => {
    database = await freshDatabase('postgres')
  })
  afterAll(() => database.drop())

  it('is not taken for gone where this process stood still itself while it was asked', async () => {
    const pulse = postgresPulse({
      connectionString: database.databaseUrl ?? '',
      suspectMs: 1,
      answerMs: 1000,
    })
    const waiting = pulse.during(() => delay(1500, 'went on'))
    // A quarter of a second after its beginning it is asked; before its answer can be read, this.
    await delay(255)
    standStill(2500)
    expect(await waiting).toBe('went on')
    expect(await pulse.during(async () => 'served')).toBe('served')
    pulse.close()
  })
})
