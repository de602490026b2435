import { createHash, randomBytes } from 'node:crypto'
import { type ClientOptions, createIntegrityClient, type IntegrityClient } from '@integrity/client'
import type { Ledger } from './scale-ledger.ts'
import { allLanes, aSegment, fullConfig, newPicture } from './world.ts'

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

/** Servers are gone for seconds at a time. */
const patient = { maxAttempts: 60, baseMs: 50, capMs: 1000, maxElapsedMs: 120_000 }
export const clientOf = (baseUrl: string, apiKey: string, more: Partial<ClientOptions> = {}): IntegrityClient =>
  createIntegrityClient({ baseUrl, apiKey, retries: patient, ...more })

const stills = 4

export interface Interview {
  readonly id: string
  readonly externalId: string
  /** Of evidence, each acknowledged. */
  readonly items: number
}

/** Where interviews are held, and what writes down everything that is acknowledged there. */
export interface Door {
  readonly url: string
  readonly key: string
  readonly ledger: Ledger
}

/** The hash of the bytes that somebody gets who opens the item. */
const hashOfContent = async (api: IntegrityClient, id: string): Promise<string> => {
  const { url } = await api.call('evidence.downloadUrl', { params: { id } })
  const answer = await fetch(url)
  if (answer.status !== 200) throw new Error(`its content answers ${answer.status}`)
  return sha256(Buffer.from(await answer.arrayBuffer()))
}

/** An interview from its creation to its end: pictures, one recording in parts, an event, and what was said. */
export const hold = async ({ url, key, ledger }: Door, n: number): Promise<Interview> => {
  const externalId = `scale-${n}`
  const { fetch } = ledger
  const wrote = (what: string, sent: string, read: (api: IntegrityClient) => Promise<string | null | undefined>) =>
    ledger.wrote(`${externalId}: ${what}`, sent, async (api) => (await read(api)) ?? '')
  const at = () => new Date().toISOString()

  const office = clientOf(url, key, { fetch })
  const created = await office.call('sessions.create', { body: { externalId, config: fullConfig } })
  const params = { id: created.id }
  const session = (api: IntegrityClient) => api.call('sessions.get', { params })
  wrote('the session', externalId, async (api) => (await session(api)).externalId)

  const agent = clientOf(url, created.agentJoinToken, { fetch })
  const told = await agent.call('agent.sessions.config', { params })
  if (!told || !('consentDocument' in told)) throw new Error('an agent that asks for the first time is told everything')
  const { version, hash: documentHash } = told.consentDocument
  const consent = { version, locale: 'en', documentHash, acceptedAt: at(), lanes: allLanes }
  await agent.call('agent.sessions.register', { body: { consent, device: { name: 'Laptop', platform: 'linux' } } })
  wrote('the consent', documentHash, async (api) => (await session(api)).consent?.documentHash)

  for (let i = 0; i < stills; i++) {
    const bytes = await newPicture()
    const hash = sha256(bytes)
    const contentType = 'image/webp' as const
    const meta = { clientId: `${externalId}-${i}`, sha256: hash, capturedAt: at(), displayId: 'd1', contentType }
    const { id } = await agent.call('agent.screenshots.upload', { params, raw: { bytes, contentType, meta } })
    wrote(`still ${i}`, hash, (api) => hashOfContent(api, id))
  }

  const clientId = `${externalId}-event`
  const event = { clientId, kind: 'display.added', observedAt: at(), source: 'displays', data: {} }
  await agent.call('agent.events.ingest', { params, body: { events: [event] } })
  wrote('the event', clientId, async (api) => {
    const { items } = await api.call('sessions.events.list', { params, query: { limit: 100 } })
    return items.find((item) => item.clientId === clientId)?.clientId
  })
  const text = `Sentence ${randomBytes(8).toString('hex')}.`
  await agent.call('agent.transcript.upsert', { params, body: { segments: [{ ...aSegment(0), text }] } })
  wrote('the transcript', text, async (api) => (await api.call('sessions.transcript', { params })).items[0]?.text)

  const sound = Buffer.concat([Buffer.from('OggS'), randomBytes(3 * 1024 * 1024)])
  const { evidence } = await agent.upload({
    ...{ sessionId: created.id, source: sound, evidenceType: 'system_audio_chunk', contentType: 'audio/ogg' },
    ...{ capturedAt: at(), durationMs: 10_000, partSize: 1024 * 1024, metadata: { codec: 'opus' } },
  })
  wrote('the recording', sha256(sound), (api) => hashOfContent(api, evidence.id))

  await office.call('sessions.end', { params })
  wrote('the end', 'ended', async (api) => (await session(api)).state)
  return { id: created.id, externalId, items: stills + 1 }
}
