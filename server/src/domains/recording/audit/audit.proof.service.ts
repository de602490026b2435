import type { KeyObject } from 'node:crypto'
import { ServiceError } from '@integrity/protocol'
import { rowHash } from '../../../kernel/audit/audit.chain.ts'
import {
  checkpointKey,
  checkpointVerifierKey,
  readNote,
  signCheckpoint,
} from '../../../kernel/audit/audit.checkpoint.ts'
import { chained } from '../../../kernel/audit/audit.digest.ts'
import {
  consistencyStretches,
  inclusionStretches,
  type Stretch,
  TreeHashes,
  verifyConsistency,
  verifyInclusion,
} from '../../../kernel/audit/audit.tree.ts'
import { type ChainHead, readHead, readRows } from '../../../kernel/audit/audit.verify.store.ts'
import type { ChainReport, Failure } from '../../../kernel/audit/audit.verify.types.ts'
import { type AuditParts, verifyAudit } from './audit.service.ts'

interface Walked {
  readonly earlierKeys?: readonly KeyObject[]
}

const refusal = (words: string) => new ServiceError('invalid_request', words)

/** The chain as a tree of its first `size` rows, each a leaf by its hash, if all of it verifies. */
export const grow = async (
  app: AuditParts,
  {
    orgId,
    size,
    stretches,
    ...walked
  }: { readonly orgId: string } & Walked & {
      size: number
      stretches: Iterable<Stretch>
    },
): Promise<TreeHashes> => {
  const tree = new TreeHashes(stretches)
  const report = await verifyAudit(app, {
    orgId,
    ...walked,
    visit: (_seq, hash) => {
      if (tree.size < size) tree.add(Buffer.from(hash, 'hex'))
    },
  })
  if (report.ok) return tree
  const { seq, reason } = report.firstFailure
  throw new ServiceError('conflict', `the audit chain is broken at row ${seq}, so nothing of it is signed: ${reason}`)
}

export const signedTree = (
  app: Pick<AuditParts, 'keyring'>,
  { orgId, size, root }: { readonly orgId: string; readonly size: number; readonly root: Buffer },
) => {
  const key = checkpointKey(app.keyring)
  return {
    checkpoint: signCheckpoint(key, orgId, { seq: size, hash: root.toString('hex') }, 'tree'),
    verifierKey: checkpointVerifierKey(key.publicKey, orgId, 'tree'),
  }
}

const sizeOf = async ({ db }: AuditParts, orgId: string, wanted: number | undefined): Promise<number> => {
  const head = await readHead(db.reader, orgId)
  if (!head) throw refusal('there is no such organisation')
  const size = wanted ?? head.seq
  if (size < 1 || size > head.seq) throw refusal(`the chain has ${head.seq} rows`)
  return size
}

/** A signed checkpoint of the tree over the first rows, if the whole chain verifies. */
export const signTree = async (app: AuditParts, { orgId, size }: { readonly orgId: string; readonly size: number }) =>
  signedTree(app, {
    orgId,
    size,
    root: (await grow(app, { orgId, size, stretches: [{ from: 0, to: size }] })).hashOf({ from: 0, to: size }),
  })

/** That a row is in the chain, checkable without the other rows (RFC 9162, section 2.1.3). */
export const proveRow = async (
  app: AuditParts,
  {
    orgId,
    row: seq,
    size: wanted,
    ...walked
  }: { readonly orgId: string } & Walked & { row: number; size?: number | undefined },
) => {
  const size = await sizeOf(app, orgId, wanted)
  if (!(seq >= 1 && seq <= size)) throw refusal(`there is no row ${seq} among the first ${size}`)
  const stretches = inclusionStretches(seq - 1, size)
  const tree = await grow(app, { orgId, ...walked, size, stretches })
  const [path, root] = [stretches.map((stretch) => tree.hashOf(stretch)), tree.root()]
  const [found] = await readRows(app.db.reader, orgId, seq - 1, 1)
  if (
    !found ||
    rowHash(chained(found)) !== found.hash ||
    !verifyInclusion(Buffer.from(found.hash, 'hex'), { index: seq - 1, size, path, root })
  )
    throw new Error('the proof does not hold')
  return {
    row: chained(found),
    hash: found.hash,
    leafIndex: seq - 1,
    treeSize: size,
    path: path.map((hash) => hash.toString('base64')),
    ...signedTree(app, { orgId, size, root }),
  }
}

/** That the first `from` rows are still the first ones of a longer chain (section 2.1.4). */
export const proveGrowth = async (
  app: AuditParts,
  {
    orgId,
    from,
    size: wanted,
    ...walked
  }: { readonly orgId: string } & Walked & { from: number; size?: number | undefined },
) => {
  const size = await sizeOf(app, orgId, wanted)
  if (!(from >= 1 && from <= size)) throw refusal(`--from must be 1 to ${size}`)
  const stretches = consistencyStretches(from, size)
  const before = { from: 0, to: from }
  const tree = await grow(app, { orgId, ...walked, size, stretches: [...stretches, before] })
  const [proof, root, first] = [stretches.map((stretch) => tree.hashOf(stretch)), tree.root(), tree.hashOf(before)]
  if (!verifyConsistency({ size: from, root: first }, { size, root }, proof)) throw new Error('the proof does not hold')
  return {
    first: { treeSize: from, ...signedTree(app, { orgId, size: from, root: first }) },
    second: { treeSize: size, ...signedTree(app, { orgId, size, root }) },
    proof: proof.map((hash) => hash.toString('base64')),
  }
}

/** Checkpoints one after the other, as a file or a log keeps them: a note ends where the lines of its signatures end. */
const notesIn = (text: string): string[] => text.match(/(?:[^\n]+\n)+\n(?:\u2014 [^\n]+\n)+/g) ?? []

/**
 * Verifies a chain, and holds it against checkpoints that somebody kept outside: of the chain or of its tree. Throws where
 * there is none in the text.
 */
export const verifyAgainst = async (
  app: AuditParts,
  {
    orgId,
    text,
    earlierKeys = [],
  }: { readonly orgId: string; readonly text: string; readonly earlierKeys?: readonly KeyObject[] },
): Promise<ChainReport & { readonly against?: number }> => {
  const notes = notesIn(text.replaceAll('\r\n', '\n'))
  if (notes.length === 0) throw refusal('there is no checkpoint in this file')
  const keys = [checkpointKey(app.keyring).publicKey, ...earlierKeys]
  const readings = notes.map((note) => readNote(keys, orgId, note))
  const kept = readings.flatMap((reading) => (reading.status === 'invalid' ? [] : [reading]))
  if (kept.length < notes.length)
    throw refusal(`checkpoint ${readings.findIndex(({ status }) => status === 'invalid') + 1} is none of ${orgId}`)
  const sizes = new Set(kept.map(({ head }) => head.seq))
  const trees = kept.some(({ kind }) => kind === 'tree') ? new TreeHashes() : undefined
  const seen = new Map<number, { chain: string; tree: string | undefined }>()
  const report = await verifyAudit(app, {
    orgId,
    earlierKeys,
    visit: (seq, hash) => {
      trees?.add(Buffer.from(hash, 'hex'))
      if (sizes.has(seq)) seen.set(seq, { chain: hash, tree: trees?.root().toString('hex') })
    },
  })
  if (!report.ok) return report
  const failure = kept
    .map(({ status, kind, head }): Failure | undefined => {
      const stood = seen.get(head.seq)
      if (status === 'unknown_key') return { seq: head.seq, reason: 'checkpoint_foreign' }
      if (!stood) return { seq: report.rows + 1, reason: 'cut_off' }
      return stood[kind] === head.hash ? undefined : { seq: head.seq, reason: 'forked' }
    })
    .filter((one) => one !== undefined)
    .sort((a, b) => a.seq - b.seq)[0]
  if (!failure) return { ...report, against: kept.length }
  return {
    ok: false,
    rows: Math.min(report.rows, failure.seq - 1),
    head: report.head satisfies ChainHead,
    firstFailure: failure,
  }
}
