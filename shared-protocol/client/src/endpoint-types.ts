import type {
  ErrorCode as DeclaredErrorCode,
  EventType as DeclaredEventType,
  EndpointId as DeclaredId,
  EndpointMap,
  EventData,
  packItem,
  ResultOf,
} from '@integrity/protocol'
import type * as z from 'zod'
import type { DeclaredTypes } from './contract-types.ts'

// Everything that this library knows of the contract as types. The build writes the same out in full, so that the
// published declarations need neither the contract's sources nor its schema library.

/** Credentials that an integrator or a capture client holds; what only the portal's people may call is left out. */
type Kinds = 'api_key' | 'agent' | 'companion' | 'room' | 'download'
type Open = 'health.live' | 'health.ready' | 'agent.sessions.join'
type Included<Id extends DeclaredId> =
  Extract<EndpointMap[Id]['auth'][number]['kind'], Kinds> extends never ? Extract<Id, Open> : Id

/** Every endpoint of this library: what a call takes and what it gives. `undefined` where there is no such part. */
export type Endpoints = { readonly [Id in DeclaredId as Included<Id>]: DeclaredTypes<EndpointMap[Id], undefined> }

/** The `data` of each type of event. */
export type EventDataByType = { readonly [T in DeclaredEventType]: EventData<T> }

/** The code of every refusal that the service answers. */
export type ErrorCode = DeclaredErrorCode

export type Session = ResultOf<EndpointMap['sessions.get']>
export type ConsentSummary = Session['consent']
export type SessionConfig = Session['config']
export type SessionConfigPatch = z.input<EndpointMap['sessions.patch']['body']>
export type Evidence = ResultOf<EndpointMap['evidence.get']>
/** What is said of an item of a pack before its bytes. */
export type PackHead = z.input<typeof packItem>
export type PackAnswer = ResultOf<EndpointMap['agent.packs.upload']>
export type EvidenceType = Evidence['evidenceType']
export type Webhook = ResultOf<EndpointMap['webhooks.get']>
export type WebhookDelivery = ResultOf<EndpointMap['webhooks.deliveries.replay']>
export type Composition = ResultOf<EndpointMap['compositions.get']>
