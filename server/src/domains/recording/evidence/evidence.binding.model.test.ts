import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createKeyring } from '../../../platform/crypto/keyring.ts'
import { assertBound, type Bound, bindingOf, EvidenceFault, faultOf } from './evidence.binding.model.ts'

const bound: Bound = {
  orgId: 'org_1',
  environment: 'live',
  sessionId: 'ses_1',
  id: 'evd_1',
  evidenceType: 'screenshot',
  contentType: 'image/webp',
  capturedAt: 1,
  durationMs: null,
  sha256: 'aa',
  sizeBytes: 11,
  header: 'age-encryption.org/v1\n',
  storeKey: 'org_1/obj_1',
}
const others: Bound = {
  orgId: 'org_2',
  environment: 'sandbox',
  sessionId: 'ses_2',
  id: 'evd_2',
  evidenceType: 'camera_frame',
  contentType: 'image/png',
  capturedAt: 2,
  durationMs: 0,
  sha256: 'ab',
  sizeBytes: 12,
  header: 'age-encryption.org/v1\n-',
  storeKey: 'org_1/obj_2',
}

describe('the MAC of an evidence row', () => {
  const master = randomBytes(32)
  const keyring = createKeyring(master)
  const mac = bindingOf(keyring, bound)

  it.each(Object.keys(bound) as (keyof Bound)[])('does not fit another %s', (field) => {
    expect(faultOf(keyring, bound, mac)).toBeUndefined()
    expect(faultOf(keyring, { ...bound, [field]: others[field] }, mac)).toBe('row_changed')
  })

  it('is not to be made without the master key, nor left out', () => {
    expect(faultOf(keyring, bound, bindingOf(createKeyring(randomBytes(32)), bound))).toBe('row_changed')
    expect(faultOf(keyring, bound, '')).toBe('row_changed')
    expect(() => assertBound(keyring, bound, null)).toThrow(EvidenceFault)
  })

  it('still fits when the master key was changed and the earlier one is given', () => {
    const next = randomBytes(32)
    expect(faultOf(createKeyring(next, [master]), bound, mac)).toBeUndefined()
    expect(faultOf(createKeyring(next), bound, mac)).toBe('row_changed')
  })
})
