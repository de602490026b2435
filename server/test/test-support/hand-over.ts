import { randomBytes } from 'node:crypto'
import { createClient } from '@integrity/client/every-endpoint'
import { allLanes, fullConfig, sha256 } from './world.ts'

const MiB = 1024 * 1024

export interface HandedOver {
  readonly sessionId: string
  readonly sha256: string
  readonly sizeBytes: number
}

/** A session and an upload in three parts that begin at one server and go on at another, with something between. */
export const handOver = async (
  first: string,
  second: string,
  key: string,
  between: () => Promise<void>,
): Promise<HandedOver> => {
  const at = () => new Date().toISOString()
  const created = await createClient({ baseUrl: first, token: key }).call('sessions.create', {
    body: { config: fullConfig },
  })
  const { id, agentJoinToken: token } = created.data
  const params = { id }
  const one = createClient({ baseUrl: first, token })
  const other = createClient({ baseUrl: second, token })
  const told = await one.call('agent.sessions.config', { params })
  const { version, hash: documentHash } = told.data.consentDocument
  const consent = { version, locale: 'en', documentHash, acceptedAt: at(), lanes: allLanes }
  await one.call('agent.sessions.register', { body: { consent, device: { name: 'Laptop', platform: 'linux' } } })

  const sound = Buffer.concat([Buffer.from('OggS'), randomBytes(2 * MiB)])
  const parts = [0, 1, 2].map((index) => sound.subarray(index * MiB, (index + 1) * MiB))
  const send = (client: typeof one, uploadId: string, index: number) => {
    const body = { index, sha256: sha256(parts[index]!), data: parts[index]!.toString('base64') }
    return client.call('agent.uploads.part', { params: { uploadId }, body })
  }
  const begun = await one.call('agent.systemAudio.begin', {
    params,
    body: {
      clientId: 'handed-over',
      evidenceType: 'system_audio_chunk',
      contentType: 'audio/ogg',
      codec: 'opus',
      sizeBytes: sound.length,
      sha256: sha256(sound),
      capturedAt: at(),
      durationMs: 10_000,
      partSize: MiB,
    },
  })
  if (!('uploadId' in begun.data)) throw new Error('it is here already')
  const { uploadId } = begun.data
  await send(one, uploadId, 0)
  await between()
  await send(other, uploadId, 1)
  await send(other, uploadId, 2)
  await other.call('agent.uploads.complete', { params: { uploadId } })
  return { sessionId: id, sha256: sha256(sound), sizeBytes: sound.length }
}

/** Hash and size of each item of a session, as a server tells. */
export const storedOf = async (baseUrl: string, key: string, id: string) => {
  const { data } = await createClient({ baseUrl, token: key }).call('sessions.evidence.list', { params: { id } })
  return data.items.map((item) => [item.sha256, item.sizeBytes])
}
