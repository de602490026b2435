import { describe, expect, it } from 'vitest'
import type { SessionRow } from '../sessions.types.ts'
import { consentReceipt } from './consent-receipt.view.ts'

const at = '2026-11-28T10:00:00.000Z'
const over = '2026-11-28T10:30:00.000Z'
const lane = (name: string, required: boolean) => ({
  lane: name,
  required,
  title: `of ${name}`,
  text: `records ${name}`,
})
const consent = {
  kind: 'agent',
  version: '2026-11-27',
  locale: 'hi',
  documentHash: 'ab'.repeat(32),
  acceptedAt: at,
  recordedAt: at,
  lanes: {
    screen: { granted: true, at, withdrawnAt: null },
    camera: { granted: false, at, withdrawnAt: null },
  },
  shown: { retentionDays: 30, lanes: [lane('screen', true), lane('camera', false)] },
} as const
const session = {
  id: 'ses_1',
  consent: {
    lanes: { screen: { granted: false, at, withdrawnAt: over }, camera: { granted: false, at, withdrawnAt: null } },
  },
} as unknown as SessionRow

describe('a consent receipt', () => {
  const { receipt, record } = consentReceipt(consent as never, { session, orgName: 'Harbour' })

  it('has the parts and fields of ISO/IEC TS 27560', () => {
    expect(Object.keys(receipt)).toEqual(['schema_version', 'receipt_id'])
    expect(Object.keys(record)).toEqual([
      ...['schema_version', 'record_id', 'pii_principal_id', 'pii_processing', 'party_identification', 'events'],
    ])
    expect(record).toMatchObject({
      schema_version: 'ISO/IEC TS 27560:2023',
      pii_principal_id: 'ses_1',
      pii_processing: { privacy_notice: 'ab'.repeat(32), language: 'hi' },
      party_identification: [{ party_id: 'controller', party_name: 'Harbour', party_role: 'PII controller' }],
    })
  })

  it('names each lane that was shown as a purpose, with how long it is held', () => {
    expect(record.pii_processing.purposes).toMatchObject([
      { purpose: 'of screen', pii_controllers: ['controller'], retention_period: 'P30D', lawful_basis: 'consent' },
      { purpose: 'of camera', pii_information: [{ pii_type: 'camera', pii_optional: true, given: false }] },
    ])
  })

  it('tells what was given, refused and withdrawn, each with its time', () => {
    expect(record.events.map(({ event_time, event_state, pii_type }) => [event_time, event_state, pii_type])).toEqual([
      [at, 'consent given', 'screen'],
      [over, 'consent withdrawn', 'screen'],
      [at, 'consent refused', 'camera'],
    ])
  })

  it('has one id for one answer, in every copy', () => {
    expect(consentReceipt(consent as never, { session, orgName: 'Renamed' }).receipt).toEqual(receipt)
    const later = consentReceipt({ ...consent, recordedAt: over } as never, { session, orgName: 'Harbour' })
    expect(later.receipt.receipt_id).not.toBe(receipt.receipt_id)
  })
})
