import { type AtsProvider, atsCredentials, atsProviders, atsPushes } from '@integrity/protocol'
import type { Needs } from '../../../kernel/call.ts'
import { iso, isoOrNull } from '../../../kernel/time.ts'
import type { ConnectionRow, SyncRow } from './ats.types.ts'
import { inboundUrlOf, inboundWords } from './connecting.service.ts'

export const capabilitiesView = (connected: ReadonlySet<AtsProvider>) => ({
  items: atsProviders.map((provider) => ({
    ...{ provider, configured: connected.has(provider), inbound: inboundWords[provider], push: [...atsPushes] },
    credentials: Object.keys(atsCredentials[provider].shape),
  })),
})

export const connectionView = (call: Needs<'config'>, orgId: string, row: ConnectionRow) => {
  const { id, provider, label, status, problem, settings } = row
  return {
    ...{ id, provider, label, status, problem },
    settings: {
      ...settings,
      triggerStages: [...settings.triggerStages],
      push: [...settings.push],
      mapping: { ...settings.mapping, policies: [...settings.mapping.policies] },
    },
    inboundUrl: inboundUrlOf(call, { orgId, id }),
    inboundSince: iso(row.secretSetAt),
    connectedAt: iso(row.connectedAt),
  }
}

export const syncView = (row: SyncRow) => {
  const { id, direction, what, status, applicationId, sessionId, attempts, problem, replayOf } = row
  return {
    ...{ id, direction, what, status, applicationId, sessionId, attempts, problem },
    ...(replayOf !== null && { replayOf }),
    nextAttemptAt: isoOrNull(row.nextAttemptAt),
    createdAt: iso(row.createdAt),
    finishedAt: isoOrNull(row.finishedAt),
  }
}
