import { type AtsProvider, atsCredentials, atsProviders, atsPushes } from '@integrity/protocol'
import type { Needs } from '../../../kernel/call.ts'
import { iso, isoOrNull } from '../../../kernel/time.ts'
import type { ConnectionRow, SyncRow } from './ats.types.ts'
import { inboundUrlOf } from './connecting.service.ts'

/** What each provider needs, and how its webhook is set up there. */
const inboundWords: Readonly<Record<AtsProvider, string>> = {
  greenhouse:
    'Configure > Dev Center > Web Hooks: "Candidate has changed stage", with inboundUrl and inboundSecret. The credentials are of a "Harvest V3 (OAuth)" key.',
  lever:
    'Settings > Integrations > Webhooks: "Candidate stage change" with inboundUrl. Lever makes the signing token itself: give it as credentials.signingToken.',
  ashby:
    'Admin > Integrations > Webhooks: "Candidate Stage Change" with inboundUrl and inboundSecret as the secret token.',
  teamtailor:
    'Settings > Webhooks: job application updates with inboundUrl. Give the key that it is signed with as credentials.signingToken. Teamtailor sends once: what was missed does not come again.',
  greenhouse_assessment:
    'Send Greenhouse the four addresses below inboundUrl (list-tests, send-test, test-status, response-error) by e-mail, and enter inboundSecret as the API key of the assessment partner: Configure > Integrations.',
}

export const capabilitiesView = (connected: ReadonlySet<AtsProvider>) => ({
  items: atsProviders.map((provider) => ({
    provider,
    configured: connected.has(provider),
    inbound: inboundWords[provider],
    push: [...atsPushes],
    credentials: Object.keys(atsCredentials[provider].shape),
  })),
})

export const connectionView = (call: Needs<'config'>, orgId: string, row: ConnectionRow) => {
  const { id, provider, label, version, status, problem, settings } = row
  return {
    id,
    provider,
    label,
    version,
    status,
    problem,
    settings: {
      ...settings,
      triggerStages: [...settings.triggerStages],
      push: [...settings.push],
      mapping: { ...settings.mapping, policies: [...settings.mapping.policies] },
    },
    inboundUrl: inboundUrlOf(call, { orgId, row }),
    inboundSince: iso(row.secretSetAt),
    connectedAt: iso(row.connectedAt),
  }
}

export const syncView = (row: SyncRow) => {
  const { id, direction, what, status, applicationId, sessionId, attempts, problem, replayOf } = row
  return {
    id,
    direction,
    what,
    status,
    applicationId,
    sessionId,
    attempts,
    problem,
    ...(replayOf !== null && { replayOf }),
    nextAttemptAt: isoOrNull(row.nextAttemptAt),
    createdAt: iso(row.createdAt),
    finishedAt: isoOrNull(row.finishedAt),
  }
}
