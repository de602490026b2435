import { afterEach, describe, expect, it } from 'vitest'
import { type FreshDatabase, freshDatabase, hasEngine } from '../../test-support/databases.ts'
import { runScale } from '../../test-support/scale.ts'

describe.skipIf(!hasEngine('postgres'))('two server processes behind a balancer', () => {
  let database: FreshDatabase | undefined
  afterEach(() => database?.drop())

  it('lose nothing and double nothing while they are killed and restarted in turn', { timeout: 240_000 }, async () => {
    database = await freshDatabase('postgres')
    const { wrong, ...outcome } = await runScale({
      ...{ processes: 2, forMs: 0 },
      env: { DATABASE_URL: database.databaseUrl!, DATA_DIR: database.dataDir },
    })
    expect(wrong).toEqual([])
    expect(outcome.restarts).toBeGreaterThanOrEqual(4)
    expect(outcome.interviews).toBeGreaterThan(2)
    expect(outcome.evidence.kept).toBe(outcome.evidence.sent)
    expect(outcome.events.delivered).toBe(outcome.events.published)
  })
})
