import type { BodyInputOf, EndpointMap } from '@integrity/protocol'
import type { DeskText } from '../../words/desk.ts'

type Subscribed = BodyInputOf<EndpointMap['portal.webhooks.create']>['eventTypes'][number]
export type EventType = Exclude<Subscribed, '*'>

/** What has happened when an event of each type is published. */
export const eventTexts: Readonly<Record<EventType, DeskText>> = {
  'session.scheduled': 'developersEvent.session.scheduled',
  'session.started': 'developersEvent.session.started',
  'session.ended': 'developersEvent.session.ended',
  'consent.declined': 'developersEvent.consent.declined',
  'evidence.ready': 'developersEvent.evidence.ready',
  'companion.paired': 'developersEvent.companion.paired',
  'companion.placement_confirmed': 'developersEvent.companion.placement_confirmed',
  'companion.recording_started': 'developersEvent.companion.recording_started',
  'companion.recording_stopped': 'developersEvent.companion.recording_stopped',
  'companion.interrupted': 'developersEvent.companion.interrupted',
  'companion.resumed': 'developersEvent.companion.resumed',
  'source.health_changed': 'developersEvent.source.health_changed',
  'report.finalized': 'developersEvent.report.finalized',
  'report.stale': 'developersEvent.report.stale',
  'audit.checkpoint': 'developersEvent.audit.checkpoint',
  'webhook.test': 'developersEvent.webhook.test',
}

export const eventTypes = Object.keys(eventTexts) as readonly EventType[]

const isEventType = (type: string): type is EventType => Object.hasOwn(eventTexts, type)

/** Nothing for a type that a newer service may have. */
export const eventText = (type: string): DeskText | undefined => (isEventType(type) ? eventTexts[type] : undefined)

/** What is subscribed to, of the types that are known here. */
export const subscribed = (chosen: string): (EventType | '*')[] => {
  const names = chosen.split(' ')
  return names.includes('*') ? ['*'] : eventTypes.filter((type) => names.includes(type))
}
