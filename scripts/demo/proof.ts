import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { decodeSound } from '../../agent/test/test-support/decode.ts'
import { agentEvidenceTypes } from '../../shared-protocol/src/domains/interviews/lanes/lanes.evidence.ts'
import type { LedgerItem } from './agent.ts'
import { claim, DemoFailure, mebibytes, say } from './say.ts'
import type { DemoService } from './service.ts'

const pageSize = 100

const page = async ({ api }: DemoService, sessionId: string, offset: number) =>
  (await api.call('sessions.evidence.list', { params: { id: sessionId }, query: { limit: pageSize, offset } })).data

export type EvidenceRow = Awaited<ReturnType<typeof page>>['items'][number]

/** Everything the server lists for the session. */
export const listEvidence = async (service: DemoService, sessionId: string): Promise<EvidenceRow[]> => {
  const rows: EvidenceRow[] = []
  for (;;) {
    const { items, total } = await page(service, sessionId, rows.length)
    rows.push(...items)
    if (items.length === 0 || rows.length >= total) return rows
  }
}

/** The bytes through a download URL, which works without a key. */
const download = async ({ api }: DemoService, row: EvidenceRow): Promise<Buffer> => {
  const { data } = await api.call('evidence.downloadUrl', { params: { id: row.id } })
  const answer = await fetch(data.url)
  if (!answer.ok) throw new DemoFailure(`the download of ${row.id} answered ${answer.status}`)
  return Buffer.from(await answer.arrayBuffer())
}

const extension = (contentType: string): string => contentType.split('/')[1] ?? 'bin'

/**
 * Opens the middle item of a kind through its download URL, holds it against the hash that the agent wrote down when it
 * captured it, and keeps it in `folder`.
 */
const open = async (
  service: DemoService,
  rows: readonly EvidenceRow[],
  ledger: readonly LedgerItem[],
  { kind, folder }: { kind: string; folder: string },
): Promise<Buffer> => {
  const hashes = new Map(ledger.map(({ clientId, sha256 }) => [clientId, sha256]))
  const ofKind = rows.filter((row) => row.evidenceType === kind && hashes.has(row.clientId))
  const row = ofKind[Math.floor(ofKind.length / 2)]
  if (!row) throw new DemoFailure(`nothing of kind ${kind} is there to open`)
  const bytes = await download(service, row)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const same = sha256 === hashes.get(row.clientId)
  claim(same, `${kind}: what the download URL opens is what was captured (${mebibytes(bytes.length)})`, row.id)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, `${kind}.${extension(row.contentType)}`)
  await writeFile(file, bytes)
  say(`    kept as ${file}`)
  return bytes
}

const decibels = (samples: Float32Array): number => {
  const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / Math.max(1, samples.length)
  return 10 * Math.log10(Math.max(power, 1e-12))
}

/** A fully silent lane measures −120 dBFS, speech about −20. */
const audibleDb = -60

const hear = async (kind: string, bytes: Buffer): Promise<void> => {
  const samples = await decodeSound(bytes)
  const level = decibels(samples)
  const length = (samples.length / 16_000).toFixed(1)
  claim(level > audibleDb, `${kind}: ${length} s of sound at ${level.toFixed(0)} dBFS`)
}

/** Whether any file below `folder` holds these bytes as they are. */
const liesPlain = async (folder: string, bytes: Buffer): Promise<boolean> => {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile() && (await readFile(join(entry.parentPath, entry.name))).includes(bytes)) return true
  }
  return false
}

const markBytes = 48

/** A picture, a sound of each side, a photo and a film: decrypted, compared, kept, and the sounds measured. */
export const openExamples = async (
  service: DemoService,
  rows: readonly EvidenceRow[],
  ledger: readonly LedgerItem[],
  folder: string,
): Promise<void> => {
  const target = join(folder, 'opened')
  let plain = 0
  for (const kind of agentEvidenceTypes.filter((type) => type !== 'screen_clip')) {
    const bytes = await open(service, rows, ledger, { kind, folder: target })
    if (kind.endsWith('audio_chunk')) await hear(kind, bytes)
    const middle = Math.floor(bytes.length / 2)
    if (await liesPlain(join(folder, 'server'), bytes.subarray(middle, middle + markBytes))) plain += 1
  }
  claim(plain === 0, "in the server's data folder none of these lies unencrypted")
}
