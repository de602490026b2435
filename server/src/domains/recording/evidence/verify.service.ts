import { captureItemText } from '@integrity/protocol'
import type { Needs } from '../../../kernel/call.ts'
import { AgeError } from '../../../platform/crypto/age-error.ts'
import { openSealed } from '../../../platform/storage/sealed-object.ts'
import { StorageError } from '../../../platform/storage/types.ts'
import { verifiedToItsEnd } from '../../../platform/storage/verified-end.ts'
import { isSignedBy } from '../../interviews/capture-keys/capture-keys.model.ts'
import { orgIdentity } from '../../organisation/orgs/orgs.service.ts'
import { type Cursor, type KeptRow, listKeptAcrossOrgs } from './binding.store.ts'
import { type EvidenceFaultCode, faultOf } from './evidence.binding.model.ts'

export interface Finding {
  readonly orgId: string
  readonly sessionId: string
  readonly evidenceId: string
  readonly fault: EvidenceFaultCode
}

export interface Verified {
  /** Rows that were looked at, tombstones included. */
  readonly rows: number
  readonly erased: number
  /** Plain bytes that were read and hashed. */
  readonly bytes: number
  readonly faults: number
  /** Rows whose objects nobody could read, as their store did not answer. */
  readonly unread: number
}

/** An organisation whose store could not be read, and why. */
export interface Unreadable {
  readonly orgId: string
  readonly cause: string
}

/** Of the store, not of an object in it. */
const isStoreAway = (error: unknown): error is StorageError =>
  error instanceof StorageError && !['not_found', 'digest_mismatch'].includes(error.code)

type Call = Needs<'db' | 'identities' | 'keyring' | 'sessionKeys' | 'store'>

const pageRows = 500
/** So many objects are read side by side: while one waits for the disk another is opened. */
const atOnce = 4

const faultOfBytes = (error: unknown): EvidenceFaultCode => {
  if (error instanceof AgeError) return 'object_changed'
  if (error instanceof StorageError && error.code === 'not_found') return 'missing'
  if (error instanceof StorageError && error.code === 'digest_mismatch') return 'other_bytes'
  throw error
}

const checkBytes = async (call: Call, row: KeptRow & { readonly header: string }) => {
  const identity = await orgIdentity({ ...call, reader: call.db.reader }, row.orgId)
  try {
    const header = await call.sessionKeys.open(call.db.reader, row, row.header)
    const pieces = openSealed(header, identity, call.store, row.storeKey, row)
    for await (const _ of verifiedToItsEnd(pieces, row));
    return undefined
  } catch (error) {
    return faultOfBytes(error)
  }
}

/** A row that is said to be verified has to be it still; what never was is no fault of this store. */
const isSignatureChanged = (row: KeptRow): boolean => {
  const { signingKey: key, signingSequence: sequence, signingPrevious: previous, signingSignature } = row
  if (row.signingVerified !== 1) return false
  if (key === null || sequence === null || previous === null || signingSignature === null) return true
  const text = captureItemText({ ...row, sequence, previous })
  return row.keyRegistered !== 1 || !isSignedBy(key, text, signingSignature)
}

const check = async (call: Call, row: KeptRow): Promise<EvidenceFaultCode | undefined> => {
  // An erasure takes the headers of rows that say they were erased, and of no other.
  if (row.header === null) return 'row_changed'
  const kept = { ...row, header: row.header }
  const fault = faultOf(call.keyring, kept, row.mac) ?? (await checkBytes(call, kept))
  return fault ?? (isSignatureChanged(row) ? 'signature_changed' : undefined)
}

interface VerifyEvidenceInput {
  readonly orgId: string | undefined
  readonly report: (finding: Finding) => void
  readonly reportAway?: (away: Unreadable) => void
}

/**
 * Reads every object that is kept, of all organisations or one, and names each row that does not fit what is stored, and each
 * organisation whose store could not be read.
 */
export const verifyEvidence = async (
  call: Call,
  { orgId, report, reportAway }: VerifyEvidenceInput,
): Promise<Verified> => {
  const sum = { rows: 0, erased: 0, bytes: 0, faults: 0, unread: 0 }
  // One store that is away is not asked for each of its objects, and takes no other organisation's check with it.
  const away = new Set<string>()
  const one = async (row: KeptRow): Promise<void> => {
    sum.rows += 1
    if (row.erasedAt !== null) {
      sum.erased += 1
      return
    }
    if (away.has(row.orgId)) {
      sum.unread += 1
      return
    }
    let fault: EvidenceFaultCode | undefined
    try {
      fault = await check(call, row)
    } catch (error) {
      if (!isStoreAway(error)) throw error
      sum.unread += 1
      if (!away.has(row.orgId)) reportAway?.({ orgId: row.orgId, cause: error.message })
      away.add(row.orgId)
      return
    }
    if (!fault) {
      sum.bytes += row.sizeBytes
      return
    }
    sum.faults += 1
    report({ orgId: row.orgId, sessionId: row.sessionId, evidenceId: row.id, fault })
  }
  for (let after: Cursor | undefined = { orgId: '', id: '' }; after; ) {
    const rows: KeptRow[] = await listKeptAcrossOrgs(call.db.reader, { after, limit: pageRows, orgId })
    const turn = rows.values()
    const inTurn = async () => {
      for (const row of turn) await one(row)
    }
    await Promise.all(Array.from({ length: atOnce }, inTurn))
    after = rows.length < pageRows ? undefined : rows.at(-1)
  }
  return sum
}
