import { createHash } from 'node:crypto'
import type { Scope } from '../../../kernel/identity/scope.ts'
import { CodedError } from '../../../platform/coded-error.ts'
import type { Keyring } from '../../../platform/crypto/keyring.ts'
import type { EvidenceRow } from './evidence.types.ts'

/** What a row says of its bytes, and where and how they are sealed. */
export type Bound = Scope &
  Pick<
    EvidenceRow,
    'id' | 'sessionId' | 'evidenceType' | 'contentType' | 'capturedAt' | 'durationMs' | 'sha256' | 'sizeBytes'
  > & { readonly header: string; readonly storeKey: string }

export type EvidenceFaultCode =
  /** The row carries no MAC. */
  | 'unbound'
  /** What the row says, its header or its place is not what the service once wrote. */
  | 'row_changed'
  /** No object lies where the row says. */
  | 'missing'
  /** The stored object is not what was sealed for this row: cut, altered, or another one. */
  | 'object_changed'
  /** The signature that the machine is said to have made is none over this row by a key of the session. */
  | 'signature_changed'
  /** The object opens, and its bytes are others than the row says: somebody else sealed it. */
  | 'other_bytes'

/** Evidence that is not what was taken in; nothing of it is given out. */
export class EvidenceFault extends CodedError<EvidenceFaultCode> {
  override readonly name = 'EvidenceFault'
}

const label = 'evidence-row'

/** What the MAC is over; see docs/proof.md. No field but the header, which is hashed, can hold a line break. */
const textOf = (bound: Bound): string =>
  [
    'evidence-row/1',
    ...[bound.orgId, bound.environment, bound.sessionId, bound.id, bound.evidenceType, bound.contentType],
    ...[bound.capturedAt, bound.durationMs ?? '-', bound.sha256, bound.sizeBytes],
    ...[createHash('sha256').update(bound.header).digest('hex'), bound.storeKey, ''],
  ].join('\n')

export const bindingOf = (keyring: Keyring, bound: Bound): string => keyring.mac(label, textOf(bound))

export const faultOf = (keyring: Keyring, bound: Bound, mac: string | null): EvidenceFaultCode | undefined => {
  if (mac === null) return 'unbound'
  return keyring.macHolds(mac, label, textOf(bound)) ? undefined : 'row_changed'
}

/** Throws `EvidenceFault` where a row and what it points to are not what was written together. */
export const assertBound = (keyring: Keyring, bound: Bound, mac: string | null): void => {
  const fault = faultOf(keyring, bound, mac)
  if (fault) throw new EvidenceFault(fault, `${bound.id} does not fit its MAC and is not given out (${fault})`)
}
