import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalize } from '../../platform/canonical-json.ts'
import { createKeyring } from '../../platform/crypto/keyring.ts'
import { type AuditRow, canonicalRow, genesisHash, payloadHash, rowHash, sealPayload } from './audit.chain.ts'
import { checkpointKey, checkpointVerifierKey, signCheckpoint, verifyCheckpoint } from './audit.checkpoint.ts'

interface Vectors {
  readonly genesisHash: string
  readonly rows: readonly {
    readonly row: AuditRow
    readonly payload: { readonly salt: string; readonly text: string } | null
    readonly canonical: string
    readonly hash: string
  }[]
  readonly checkpoint: { readonly masterKey: string; readonly verifierKey: string; readonly note: string }
}
const file = new URL('../../../../shared-protocol/vectors/hash-chain.json', import.meta.url)
const vectors = JSON.parse(readFileSync(file, 'utf8')) as Vectors

const text = fc.string({ unit: 'binary' })
const rows: fc.Arbitrary<AuditRow> = fc.record({
  orgId: text,
  seq: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
  at: text,
  actor: fc.record({ kind: text, id: text }),
  action: text,
  target: text,
  sessionId: fc.option(text),
  payloadHash: fc.option(text),
  prevHash: text,
})

describe('the canonical form of a row', () => {
  it('is what the general RFC 8785 implementation gives, for any content and any order of members', () => {
    fc.assert(
      fc.property(rows, (row) => {
        const reordered = Object.fromEntries(Object.entries(row).reverse()) as unknown as AuditRow
        expect(canonicalRow(row)).toBe(canonicalize(row))
        expect(canonicalRow(reordered)).toBe(canonicalize(row))
      }),
    )
  })

  it('holds nothing that is not declared', () => {
    const [first] = vectors.rows
    expect(canonicalRow({ ...first!.row, hash: 'x', more: 1 } as AuditRow)).toBe(first!.canonical)
  })
})

describe('the hash chain vectors', () => {
  it('begin with the genesis hash and link each row to the one before', () => {
    expect(vectors.genesisHash).toBe(genesisHash)
    let before = genesisHash
    for (const { row, hash } of vectors.rows) {
      expect(row.prevHash).toBe(before)
      before = hash
    }
  })

  it.each(vectors.rows)('row $row.seq', ({ row, payload, canonical, hash }) => {
    expect(canonicalRow(row)).toBe(canonical)
    expect(rowHash(row)).toBe(hash)
    expect(createHash('sha256').update(canonical, 'utf8').digest('hex')).toBe(hash)
    const committed = payload && payloadHash(Buffer.from(payload.salt, 'hex'), payload.text)
    expect(row.payloadHash).toBe(committed)
  })

  it('the checkpoint states the last row and is signed by the key of the vector', () => {
    const { masterKey, verifierKey, note } = vectors.checkpoint
    const key = checkpointKey(createKeyring(Buffer.from(masterKey, 'hex')))
    const last = vectors.rows.at(-1)!
    const head = { seq: last.row.seq, hash: last.hash }
    expect(checkpointVerifierKey(key.publicKey, last.row.orgId)).toBe(verifierKey)
    expect(signCheckpoint(key, last.row.orgId, head)).toBe(note)
    expect(verifyCheckpoint([key.publicKey], last.row.orgId, note)).toEqual({ status: 'verified', head })
  })
})

describe('a sealed payload', () => {
  it('has a salt of its own, so that equal payloads cannot be told apart by their hashes', () => {
    const [one, two] = [sealPayload({ label: 'A' }), sealPayload({ label: 'A' })]
    expect(one.text).toBe(two.text)
    expect(one.hash).not.toBe(two.hash)
    expect(one.salt).toMatch(/^[0-9a-f]{32}$/)
    expect(payloadHash(Buffer.from(one.salt, 'hex'), one.text)).toBe(one.hash)
  })
})
