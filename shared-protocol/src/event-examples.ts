import { catalogVersion } from './core/event.ts'
import type { EventData, EventType } from './domains/integrations/events/events.catalog.ts'

const key = '01k9s4m2r8v6x3w7y5z0abcdef'
const at = '2027-09-06T07:31:12.480Z'
const started = '2027-09-06T07:00:04.112Z'

const session = { id: `ses_${key}`, externalId: 'REQ-4711', state: 'live' } as const
const ended = { ...session, state: 'ended' } as const
const ofCompanion = { session, companion: { id: `cpn_${key}` }, at }
const readyItem = {
  id: `evd_${key}`,
  evidenceType: 'screenshot',
  source: 'screen:display-1',
  sentBy: 'agent',
  sizeBytes: 148_213,
  capturedAt: at,
} as const
const report = { session: ended, report: { revision: 1 } }

/** The data of each event as a receiver may meet it: one interview, from its plan to its report. */
const eventData: { readonly [T in EventType]: EventData<T> } = {
  'session.scheduled': { session: { ...session, state: 'scheduled' } },
  'session.started': { session },
  'session.ended': { session: ended, reason: 'the interview is over' },
  'consent.declined': {
    session: { ...session, state: 'scheduled' },
    device: 'agent',
    lanes: ['camera', 'microphone'],
    at: started,
  },
  'evidence.ready': { session, items: [readyItem], evidence: readyItem },
  'companion.paired': ofCompanion,
  'companion.placement_confirmed': ofCompanion,
  'companion.recording_started': ofCompanion,
  'companion.recording_stopped': ofCompanion,
  'companion.interrupted': ofCompanion,
  'companion.resumed': ofCompanion,
  'source.health_changed': {
    session,
    lane: 'screen',
    displayId: 'display-1',
    previous: 'up',
    current: 'down',
    since: at,
    reason: 'offline',
  },
  'report.finalized': report,
  'report.stale': { ...report, report: { revision: 2 } },
  'audit.checkpoint': {
    rows: 4096,
    checkpoint:
      'interview-integrity/audit/org_01k9s4m2r8v6x3w7y5z0abcdef\n4096\nmoQOQSXQi2hIVRjuCtxWjBUZDyUtqCLKpEGtjtYoEdI=\n\n— interview-integrity/audit/org_01k9s4m2r8v6x3w7y5z0abcdef …\n',
    verifierKey: 'interview-integrity/audit/org_01k9s4m2r8v6x3w7y5z0abcdef+0123abcd+AQ…',
  },
  'webhook.test': { webhook: { id: `whk_${key}` } },
}

/** What a receiver gets for an event of this type. */
export const eventExample = (type: EventType) => ({
  id: `evt_${key}`,
  type,
  ...('session' in eventData[type] ? { sessionId: session.id } : {}),
  createdAt: at,
  apiVersion: 'v1',
  catalogVersion,
  data: eventData[type],
})
