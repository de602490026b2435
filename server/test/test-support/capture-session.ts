import { createHash, randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { EveryEndpoint } from '@integrity/client/contract-types'
import type { Client } from '@integrity/client/every-endpoint'
import { evidenceTypeNames, evidenceTypes, type LaneName, type SessionConfigPatch } from '@integrity/protocol'
import sharp from 'sharp'
import type { Environment } from '../../src/kernel/identity/scope.ts'
import type { TestServer } from './server.ts'

export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

export const iso = (ms: number): string => new Date(ms).toISOString()

/** A clientId that no other test uses. */
export const newClientId = (): string => `client-${randomBytes(8).toString('hex')}`

/** A picture unlike any other. */
export const picture = (format: 'webp' | 'png' | 'jpeg' = 'webp', width = 64, height = 48): Promise<Buffer> =>
  sharp(randomBytes(width * height * 3), { raw: { width, height, channels: 3 } })
    .toFormat(format)
    .toBuffer()

/** Bytes that begin like a Matroska or WebM file. */
export const film = (size: number, docType: 'webm' | 'matroska' = 'webm'): Buffer => {
  const head = Buffer.concat([
    Buffer.from([0x1a, 0x45, 0xdf, 0xa3, 0x80 + docType.length + 3, 0x42, 0x82, 0x80 + docType.length]),
    Buffer.from(docType, 'latin1'),
  ])
  return Buffer.concat([head, randomBytes(size - head.length)])
}

export interface CaptureSession {
  readonly id: string
  readonly orgId: string
  readonly environment: Environment
  /** With the organisation's key. */
  readonly api: Client
  /** With the session's join token. */
  readonly agent: Client
  readonly token: string
}

export interface CaptureOptions {
  readonly org?: 0 | 1
  readonly environment?: Environment
  readonly config?: SessionConfigPatch
  readonly candidateLabel?: string
  /** Every lane of the document but these is agreed to. */
  readonly declined?: readonly LaneName[]
  /** False: the session stays scheduled. */
  readonly registered?: boolean
}

const withFilms: SessionConfigPatch = { capture: { recording: true }, camera: { clips: true } }

/** A session whose candidate has agreed and whose agent is live; it asks for stills and films unless told otherwise. */
export const buildCaptureSession = async (
  server: TestServer,
  options: CaptureOptions = {},
): Promise<CaptureSession> => {
  const org = server.orgs[options.org ?? 0]
  const environment = options.environment ?? 'sandbox'
  const api = server.client(environment === 'live' ? org.liveKey : org.sandboxKey)
  const { config: wanted = withFilms, candidateLabel } = options
  const body = { config: wanted, ...(candidateLabel !== undefined && { candidateLabel }) }
  const { data: session } = await api.call('sessions.create', { body })
  const agent = server.client(session.agentJoinToken)
  const built = { id: session.id, orgId: org.orgId, environment, api, agent, token: session.agentJoinToken }
  if (options.registered === false) return built
  const { data: config } = await agent.call('agent.sessions.config', { params: { id: session.id } })
  const { version, hash, lanes } = config.consentDocument
  const agreed = lanes.map(({ lane }) => [lane, !options.declined?.includes(lane)])
  await agent.call('agent.sessions.register', {
    body: {
      consent: {
        version,
        locale: 'en',
        documentHash: hash,
        acceptedAt: iso(server.clock.now()),
        lanes: Object.fromEntries(agreed),
      },
    },
  })
  return built
}

/** Records consent to one more lane, as the phone's or the room's own consent does. */
export const agreeTo = async (server: TestServer, { id }: CaptureSession, lane: LaneName): Promise<void> => {
  await server.app.db.transact(async (tx) => {
    const row = await tx.get<{ consent: string }>('SELECT consent FROM sessions WHERE session_id = ?', [id])
    const consent = JSON.parse(String(row?.consent)) as { lanes: Record<string, unknown>; evidenceTypes: string[] }
    consent.lanes[lane] = { granted: true, at: iso(server.clock.now()), withdrawnAt: null }
    consent.evidenceTypes.push(...evidenceTypeNames.filter((type) => evidenceTypes[type].lane === lane))
    await tx.run('UPDATE sessions SET consent = ? WHERE session_id = ?', [JSON.stringify(consent), id])
  })
}

/** What a refused call says; fails when the call was not refused. */
export const refusal = async (call: Promise<unknown>): Promise<{ status: number; code: string; path?: string }> => {
  try {
    await call
  } catch (error) {
    const { status, code, details } = error as { status: number; code: string; details?: { path: string }[] }
    const path = details?.[0]?.path
    return { status, code, ...(path === undefined ? {} : { path }) }
  }
  throw new Error('the call was not refused')
}

export const filesBelow = async (folder: string): Promise<string[]> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}

/** Files of the evidence store: `objects` finished, `segments` unfinished, `incoming` being written. */
export const storedFiles = (
  server: TestServer,
  folder: 'objects' | 'segments' | 'incoming' | '' = '',
): Promise<string[]> => filesBelow(join(server.app.config.dataDir, 'objects', folder))

/** Actions in the audit chain of a session, oldest first, with their payloads. */
export const auditOf = async (server: TestServer, session: CaptureSession) => {
  const rows = await server.app.db.reader.all<{
    action: string
    target: string
    actor: string
    payload: string | null
  }>(
    `SELECT a.action, a.target, a.actor_kind AS actor, p.payload FROM audit_log a
     LEFT JOIN audit_payloads p ON p.org_id = a.org_id AND p.seq = a.seq
     WHERE a.org_id = ? AND a.session_id = ? ORDER BY a.seq`,
    [session.orgId, session.id],
  )
  return rows.map(({ payload, ...row }) => ({
    ...row,
    payload: payload === null ? null : (JSON.parse(payload) as unknown),
  }))
}

/** The session's client with the organisation's key; a new one, since a restart moves the server to another port. */
export const keyClient = (server: TestServer, { orgId, environment }: CaptureSession): Client => {
  const org = server.orgs.find((candidate) => candidate.orgId === orgId)
  return server.client(environment === 'live' ? org?.liveKey : org?.sandboxKey)
}

/** How many events of a type a session has published. */
export const published = async (
  server: TestServer,
  session: CaptureSession,
  types: 'evidence.ready',
): Promise<number> =>
  (await keyClient(server, session).call('events.list', { query: { types, sessionId: session.id } })).data.total

export interface Still {
  readonly bytes: Buffer
  readonly contentType: string
  readonly meta: EveryEndpoint['agent.screenshots.upload']['meta']
}
export const buildStill = async (server: TestServer, overrides: Record<string, unknown> = {}): Promise<Still> => {
  const bytes = (overrides['bytes'] as Buffer | undefined) ?? (await picture())
  const { bytes: _, contentType = 'image/webp', ...meta } = overrides
  const said = { clientId: newClientId(), capturedAt: iso(server.clock.now()), sha256: sha256(bytes), ...meta }
  return { bytes, contentType: String(contentType), meta: said }
}

export const sendStill = async (
  server: TestServer,
  session: CaptureSession,
  overrides: Record<string, unknown> = {},
) => {
  const raw = await buildStill(server, overrides)
  return session.agent.call('agent.screenshots.upload', { params: { id: session.id }, raw })
}
