import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { EndpointId } from '@integrity/protocol'
import { request } from 'undici'
import { LineTree, manifestOf } from '../../../src/domains/review/bundles/bundles.manifest.model.ts'
import {
  type CheckpointKey,
  checkpointKey,
  checkpointVerifierKey,
  signCheckpoint,
} from '../../../src/kernel/audit/audit.checkpoint.ts'
import { captureSigner } from '../../test-support/capture-signer.ts'
import { specOf } from '../../test-support/examples.ts'
import { portalCookie } from '../../test-support/portal.ts'
import { pathOf, type RawRequest } from '../../test-support/send.ts'
import type { TestServer } from '../../test-support/server.ts'
import {
  allLanes,
  anEvent,
  aSegment,
  fullConfig,
  newPicture,
  newSound,
  registration,
  scheduleSession,
  soundFor,
  stillFor,
  type WorldSession,
} from '../../test-support/world.ts'
import { unzip, zip } from '../../test-support/zips.ts'

export type Members = Map<string, Buffer>

/** An ended interview with something of everything, signed off, and captured by a machine that signs. */
export const interview = async (server: TestServer, sound = newSound()): Promise<WorldSession> => {
  const api = server.client(server.orgs[0].sandboxKey)
  const session = await scheduleSession(api, { candidateLabel: 'Candidate 12', config: fullConfig })
  const signer = captureSigner(session.id)
  const agreed = await registration(server, session, allLanes)
  const captureKey = signer.registration(agreed.consent.documentHash)
  await server.client(session.agent).call('agent.sessions.register', { body: { ...agreed, captureKey } })
  const agent = server.client(session.agent)
  const params = { id: session.id }
  for (const picture of [await newPicture(), await newPicture(), await newPicture()]) {
    server.clock.advance(200_000)
    const still = stillFor(server, picture)
    const captureSignature = signer.item({ ...still, evidenceType: 'screenshot' })
    // A still that never came is a gap.
    if (captureSignature.sequence === 2) continue
    const body = { ...still, captureSignature, data: picture.toString('base64') }
    await agent.call('agent.screenshots.upload', { params, body })
  }
  const chunk = soundFor(server, sound)
  const captureSignature = signer.item({ ...chunk, capturedAt: chunk.startedAt, evidenceType: 'audio_chunk' })
  const body = { ...chunk, captureSignature, data: sound.toString('base64') }
  await agent.call('agent.audioChunks.upload', { params, body })
  await agent.call('agent.events.ingest', { params, body: { events: [anEvent(server), anEvent(server)] } })
  await agent.call('agent.transcript.upsert', { params, body: { segments: [aSegment(0), aSegment(1)] } })
  await agent.call('agent.sessions.end', { params, body: { captureEnd: signer.end() } })
  const headers = await portalCookie(server, 'owner')
  await server.client().call('portal.report.signOff', { params, headers, body: { expectedRevision: 0 } })
  return session
}

interface Downloaded {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly bytes: Buffer
}

export const fetchBytes = async (server: TestServer, id: EndpointId, raw: RawRequest): Promise<Downloaded> => {
  const spec = specOf(id)
  const { statusCode, headers, body } = await request(server.url + pathOf(spec, raw), {
    method: spec.method as 'GET',
    headers: { ...raw.headers },
    ...(raw.payload === undefined ? {} : { body: raw.payload }),
  })
  return { status: statusCode, headers, bytes: Buffer.from(await body.arrayBuffer()) }
}

export const download = async (
  server: TestServer,
  { id }: { readonly id: string },
  { headers = {}, query = {} }: Pick<RawRequest, 'headers' | 'query'> = {},
): Promise<Downloaded> => {
  const cookie = await portalCookie(server, 'owner')
  return fetchBytes(server, 'portal.sessions.bundle', { headers: { ...cookie, ...headers }, params: { id }, query })
}

export const bundleOf = async (server: TestServer, session: { readonly id: string }, query = {}): Promise<Members> => {
  const { status, bytes } = await download(server, session, { query })
  if (status !== 200) throw new Error(`${status}: ${bytes.toString()}`)
  return unzip(bytes)
}

/** The organisation's published key. */
export const keyOf = (server: TestServer): string =>
  checkpointVerifierKey(checkpointKey(server.app.keyring).publicKey, server.orgs[0].orgId)

export interface Verdict {
  readonly code: number
  /** Names of faults. */
  readonly faults: readonly string[]
  /** Each with where it was found. */
  readonly named: readonly string[]
  readonly text: string
}

/** Debian's own: its packages are no other Python's. */
export const python = '/usr/bin/python3'
const program = resolve(import.meta.dirname, '../../../../docs/verify/verify_bundle.py')

/** What the program of docs/verify says. */
export const verdictOf = async (bundle: Buffer | Members, args: readonly string[]): Promise<Verdict> => {
  const folder = await mkdtemp(join(tmpdir(), 'bundle-'))
  const file = join(folder, 'bundle.zip')
  await writeFile(file, Buffer.isBuffer(bundle) ? bundle : zip(bundle))
  try {
    return await new Promise((done) => {
      execFile(python, ['-B', program, file, ...args], (error, stdout, stderr) => {
        const named = [...stdout.matchAll(/^FAULT (\w+ .*?): /gm)].map(([, name]) => name!)
        const faults = [...new Set(named.map((one) => one.split(' ')[0]!))]
        done({ code: error ? Number(error.code) : 0, faults, named, text: stdout + stderr })
      })
    })
  } finally {
    await rm(folder, { recursive: true })
  }
}

export type Line = Record<string, unknown> & { path?: string }

export const manifestIn = (members: Members): Line[] =>
  members
    .get('manifest.jsonl')!
    .toString()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)

type Change = (part: Line) => Line | undefined

const measuredAnew = (part: Line, bytes: Buffer | undefined): Line => {
  if (!bytes || part['leftOut']) return part
  const measured = { ...part, size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') }
  if (!part['lines']) return measured
  const tree = new LineTree()
  const lines = bytes.toString().split('\n').slice(0, -1)
  for (const line of lines) tree.add(line)
  return { ...measured, lines: { count: lines.length, root: tree.root() } }
}

/** With the manifest written and signed again over what is there: what whoever has the key could do. */
export const sealed = (
  { key, orgId }: { readonly key: CheckpointKey; readonly orgId: string },
  members: Members,
  change: Change = (part) => part,
): Members => {
  const [head, ...parts] = manifestIn(members)
  const changed = parts.map(change).filter((part) => part !== undefined)
  const { text, lines, root } = manifestOf(
    head!,
    changed.map((part) => measuredAnew(part, members.get(part.path!))) as never,
  )
  const seal = signCheckpoint(key, orgId, { seq: lines, hash: root }, 'bundle')
  return new Map([...members, ['manifest.jsonl', Buffer.from(text)], ['seal.txt', Buffer.from(seal)]])
}

export const sealOf = (server: TestServer) => ({
  key: checkpointKey(server.app.keyring),
  orgId: server.orgs[0].orgId,
})

/** The same with other bytes in a part. */
export const resealed = (server: TestServer, members: Members, path: string, bytes: Buffer): Members => {
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  return sealed(sealOf(server), new Map([...members, [path, bytes]]), (part) =>
    part.path === path && part['evidence'] ? { ...part, evidence: { ...part['evidence'], sha256 } } : part,
  )
}
