import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { migrations } from '../../../src/migrations/index.ts'
import { type FreshDatabase, freshDatabase } from '../../test-support/databases.ts'
import { hasEngine } from '../../test-support/engines.ts'
import { handOver, storedOf } from '../../test-support/hand-over.ts'
import { lastRelease, type OldSources, takeSources } from '../../test-support/last-release.ts'
import { watch } from '../../test-support/scale-events.ts'
import { clientOf, hold } from '../../test-support/scale-interview.ts'
import { judge } from '../../test-support/scale-judge.ts'
import { createLedger } from '../../test-support/scale-ledger.ts'
import { type ServerProcess, startProcess, startProcesses } from '../../test-support/scale-processes.ts'
import { type Receiver, startReceiver } from '../../test-support/webhook-receiver.ts'

/**
 * The server as it was before the newest migration, from the history, and the server of today, each a process of its own on
 * one Postgres. A folder without history, as an unpacked archive is, has no older server.
 */
describe.skipIf(!hasEngine('postgres') || lastRelease === undefined)('the last release [needs the history]', () => {
  let database: FreshDatabase
  let sources: OldSources
  let receiver: Receiver
  const processes: ServerProcess[] = []
  beforeEach(async () => {
    database = await freshDatabase('postgres')
    sources = await takeSources(lastRelease!)
    receiver = await startReceiver(() => Date.now())
  })
  afterEach(async () => {
    await Promise.all(processes.splice(0).map((process) => process.end('SIGKILL')))
    await receiver.stop()
    await database.drop()
    await sources.remove()
  })

  it('serves beside this one on the schema of this one, and nothing is lost', { timeout: 240_000 }, async () => {
    const newer = migrations.map(({ name }) => name).filter((name) => !sources.migrations.includes(name))
    expect(newer).not.toEqual([])
    const env = { DATABASE_URL: database.databaseUrl!, DATA_DIR: database.dataDir }
    const { processes: started, key } = await startProcesses(1, env, sources.main)
    processes.push(...started)
    const urlOf = ({ port }: ServerProcess) => `http://127.0.0.1:${port}`
    const old = urlOf(started[0]!)
    await clientOf(old, key).call('webhooks.create', { body: { url: receiver.url, eventTypes: ['*'] } })
    const watching = watch(old, key)
    const ledger = createLedger()
    const held = [await hold({ url: old, key, ledger }, 0)]

    // Its start migrates beneath the other one.
    processes.push(await startProcess(env))
    const now = urlOf(processes[1]!)
    for (const [n, url] of [old, now, old, now].entries()) held.push(await hold({ url, key, ledger }, n + 1))
    const { wrong, evidence } = await judge(clientOf(now, key), { held, ledger, watching, receiver })
    await watching.stop()
    expect(wrong).toEqual([])
    expect(evidence.kept).toBe(evidence.sent)

    for (const [one, other] of [
      [old, now],
      [now, old],
    ] as const) {
      const sent = await handOver(one, other, key, async () => undefined)
      const params = { id: sent.sessionId }
      for (const url of [old, now]) expect(await storedOf(url, key, params.id)).toEqual([[sent.sha256, sent.sizeBytes]])
      await clientOf(one, key).call('sessions.end', { params })
      await clientOf(other, key).call('sessions.erase', { params })
      for (const url of [old, now]) {
        const session = await clientOf(url, key).call('sessions.get', { params })
        expect(session.erasedAt).not.toBeNull()
      }
    }
    for (const process of processes) expect(process.output()).not.toMatch(/"level":"(error|fatal)"/)
  })
})
