import type {
  BodyInputOf,
  ErrorCode as DeclaredErrorCode,
  EventType as DeclaredEventType,
  EndpointId as DeclaredId,
  EndpointMap,
  EndpointSpec,
  EventData,
  ParamsOf,
  QueryInputOf,
  QueryOf,
  ResultOf,
  UploadSpec,
} from '@integrity/protocol'
import type * as z from 'zod'

// Everything that this library knows of the contract as types. The build writes the same out in full, so that the
// published declarations need neither the contract's sources nor its schema library.

/** Credentials that an integrator or a capture client holds; what only the portal's people may call is left out. */
type Kinds = 'api_key' | 'agent' | 'companion' | 'room' | 'download'
type Open = 'health.live' | 'health.ready' | 'agent.sessions.join'
type Included<Id extends DeclaredId> =
  Extract<EndpointMap[Id]['auth'][number]['kind'], Kinds> extends never ? Extract<Id, Open> : Id

// A number in a query or beside a part is declared as "anything that can be read as one".
type Written<In, Out> = {
  readonly [K in keyof In]: unknown extends In[K] ? (K extends keyof Out ? Out[K] : never) : In[K]
}
type QueryTypes<E extends EndpointSpec> =
  QueryInputOf<E> extends undefined ? undefined : Written<QueryInputOf<E>, QueryOf<E>>
type BodyTypes<E extends EndpointSpec> =
  | (E['body'] extends z.ZodObject ? Written<z.input<E['body']>, z.output<E['body']>> : BodyInputOf<E>)
  | (E extends { readonly bodyOptional: true } ? undefined : never)
type ResultTypes<E extends EndpointSpec> = E extends { readonly kind: 'bytes' }
  ? Response
  : ResultOf<E> | (304 extends E['success'][number] ? undefined : never)

/** Every endpoint of this library: what a call takes and what it gives. `undefined` where there is no such part. */
export type Endpoints = {
  readonly [Id in DeclaredId as Included<Id>]: {
    readonly params: keyof ParamsOf<EndpointMap[Id]> extends never ? undefined : ParamsOf<EndpointMap[Id]>
    readonly query: QueryTypes<EndpointMap[Id]>
    readonly body: BodyTypes<EndpointMap[Id]>
    /** Metadata that goes beside raw bytes. */
    readonly meta: EndpointMap[Id] extends { readonly upload: UploadSpec }
      ? Written<z.input<EndpointMap[Id]['upload']['meta']>, z.output<EndpointMap[Id]['upload']['meta']>>
      : undefined
    readonly result: ResultTypes<EndpointMap[Id]>
  }
}

/** The `data` of each type of event. */
export type EventDataByType = { readonly [T in DeclaredEventType]: EventData<T> }

/** The code of every refusal that the service answers. */
export type ErrorCode = DeclaredErrorCode

export type Session = ResultOf<EndpointMap['sessions.get']>
export type ConsentSummary = Session['consent']
export type SessionConfig = Session['config']
export type SessionConfigPatch = z.input<EndpointMap['sessions.patch']['body']>
export type Evidence = ResultOf<EndpointMap['evidence.get']>
export type EvidenceType = Evidence['evidenceType']
export type Webhook = ResultOf<EndpointMap['webhooks.get']>
export type WebhookDelivery = ResultOf<EndpointMap['webhooks.deliveries.replay']>
export type Composition = ResultOf<EndpointMap['compositions.get']>
