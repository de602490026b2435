import { randomBytes } from 'node:crypto'
import { createClient } from '@integrity/client/every-endpoint'
import { afterEach, describe, expect, it } from 'vitest'
import { type FreshDatabase, freshDatabase, hasEngine } from '../../test-support/databases.ts'
import { type S3Double, startS3Double } from '../../test-support/s3-double.ts'
import { runScale } from '../../test-support/scale.ts'
import { type ServerProcess, startProcesses } from '../../test-support/scale-processes.ts'
import { allLanes, fullConfig, sha256 } from '../../test-support/world.ts'

describe.skipIf(!hasEngine('postgres'))('two server processes behind a balancer', () => {
  let database: FreshDatabase | undefined
  let processes: ServerProcess[] = []
  let store: S3Double | undefined
  afterEach(async () => {
    await Promise.all(processes.splice(0).map((process) => process.end('SIGKILL')))
    await store?.stop()
    store = undefined
    await database?.drop()
  })

  it('lose nothing and double nothing while they are killed and restarted in turn', { timeout: 240_000 }, async () => {
    database = await freshDatabase('postgres')
    store = await startS3Double()
    const { wrong, ...outcome } = await runScale({
      ...{ processes: 2, forMs: 0 },
      s3: { endpoint: store.endpoint, accessKeyId: 'key', secretAccessKey: 'secret' },
      env: { DATABASE_URL: database.databaseUrl!, DATA_DIR: database.dataDir },
    })
    expect(wrong).toEqual([])
    expect(store.objects.size).toBeGreaterThanOrEqual(outcome.evidence.kept)
    expect(outcome.restarts).toBeGreaterThanOrEqual(4)
    expect(outcome.interviews).toBeGreaterThan(2)
    expect(outcome.evidence.kept).toBe(outcome.evidence.sent)
    expect(outcome.events.delivered).toBe(outcome.events.published)
  })

  it('finish an upload at one that began at another, which was killed in the middle', async () => {
    database = await freshDatabase('postgres')
    const env = { DATABASE_URL: database.databaseUrl!, DATA_DIR: database.dataDir }
    const started = await startProcesses(2, env)
    processes = started.processes
    const [first, second] = processes.map(({ port }) => `http://127.0.0.1:${port}`)
    const at = () => new Date().toISOString()
    const created = await createClient({ baseUrl: first!, token: started.key }).call('sessions.create', {
      body: { config: fullConfig },
    })
    const { id, agentJoinToken: token } = created.data
    const params = { id }
    const [one, other] = [first!, second!].map((baseUrl) => createClient({ baseUrl, token }))
    const told = await one!.call('agent.sessions.config', { params })
    const { version, hash: documentHash } = told.data.consentDocument
    const consent = { version, locale: 'en', documentHash, acceptedAt: at(), lanes: allLanes }
    await one!.call('agent.sessions.register', { body: { consent, device: { name: 'Laptop', platform: 'linux' } } })

    const MiB = 1024 * 1024
    const sound = Buffer.concat([Buffer.from('OggS'), randomBytes(2 * MiB)])
    const parts = [0, 1, 2].map((index) => sound.subarray(index * MiB, (index + 1) * MiB))
    const send = (client: typeof one, uploadId: string, index: number) => {
      const body = { index, sha256: sha256(parts[index]!), data: parts[index]!.toString('base64') }
      return client!.call('agent.uploads.part', { params: { uploadId }, body })
    }
    const begun = await one!.call('agent.systemAudio.begin', {
      params,
      body: {
        ...{ clientId: 'handed-over', evidenceType: 'system_audio_chunk', contentType: 'audio/ogg', codec: 'opus' },
        ...{ sizeBytes: sound.length, sha256: sha256(sound), capturedAt: at(), durationMs: 10_000, partSize: MiB },
      },
    })
    if (!('uploadId' in begun.data)) throw new Error('it is here already')
    const { uploadId } = begun.data
    await send(one, uploadId, 0)
    await processes[0]!.end('SIGKILL')
    await send(other, uploadId, 1)
    await send(other, uploadId, 2)
    await other!.call('agent.uploads.complete', { params: { uploadId } })
    const api = createClient({ baseUrl: second!, token: started.key })
    const { data } = await api.call('sessions.evidence.list', { params })
    expect(data.items.map((item) => [item.sha256, item.sizeBytes])).toEqual([[sha256(sound), sound.length]])
  })
})
