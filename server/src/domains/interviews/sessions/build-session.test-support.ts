import { type LaneName, sessionConfig } from '@integrity/protocol'
import type { SessionRow } from './sessions.types.ts'

export const startedAt = Date.parse('2026-09-04T10:00:00.000Z')

/** A consent that grants exactly these lanes. */
export const consentTo = (...granted: LaneName[]): NonNullable<SessionRow['consent']> => {
  const at = new Date(startedAt).toISOString()
  const lanes = Object.fromEntries(granted.map((lane) => [lane, { granted: true, at, withdrawnAt: null }]))
  return { version: '1', locale: 'en', documentHash: '0'.repeat(64), acceptedAt: at, lanes }
}

/** A live session that began at `startedAt`, with every lane of the agent granted. */
export const buildSession = (overrides: Partial<SessionRow> = {}): SessionRow => ({
  orgId: 'org_1',
  id: 'ses_1',
  environment: 'sandbox',
  externalId: null,
  candidateLabel: null,
  state: 'live',
  config: sessionConfig.parse({}),
  policyVersion: 1,
  lanesOff: {},
  policy: null,
  consent: consentTo('screen', 'microphone', 'system_audio', 'camera', 'signals'),
  eventCount: 0,
  legalHold: false,
  meeting: null,
  schedule: null,
  provisionedBy: { kind: 'api_key', id: 'key_1', label: null },
  device: null,
  permissions: {},
  permissionTimes: {},
  capabilities: [],
  registeredAt: startedAt,
  lastContactAt: null,
  createdAt: startedAt - 60_000,
  startedAt,
  endedAt: null,
  endReason: null,
  erasedAt: null,
  ...overrides,
})
