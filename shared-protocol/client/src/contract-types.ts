import type {
  BodyInputOf,
  EndpointId as DeclaredId,
  EndpointMap,
  EndpointSpec,
  ParamsOf,
  QueryInputOf,
  QueryOf,
  ResultOf,
  UploadSpec,
} from '@integrity/protocol'
import type * as z from 'zod'

// A number in a query or beside a part is declared as "anything that can be read as one".
type Written<In, Out> = {
  readonly [K in keyof In]: unknown extends In[K] ? (K extends keyof Out ? Out[K] : never) : In[K]
}
type QueryTypes<E extends EndpointSpec> =
  QueryInputOf<E> extends undefined ? undefined : Written<QueryInputOf<E>, QueryOf<E>>
type BodyTypes<E extends EndpointSpec> =
  | (E['body'] extends z.ZodObject ? Written<z.input<E['body']>, z.output<E['body']>> : BodyInputOf<E>)
  | (E extends { readonly bodyOptional: true } ? undefined : never)
type ResultTypes<E extends EndpointSpec, NotModified> = E extends { readonly kind: 'bytes' }
  ? Response
  : ResultOf<E> | (304 extends E['success'][number] ? NotModified : never)
// Beside raw bytes it is the request's own, unless it is named.
type Named<In> = In extends { readonly contentType: infer Type }
  ? Omit<In, 'contentType'> & { readonly contentType?: Type }
  : In

/** What the registry says of one endpoint, as a call's types. `NotModified` stands for the answer 304. */
export interface DeclaredTypes<E extends EndpointSpec, NotModified = never> {
  readonly params: keyof ParamsOf<E> extends never ? undefined : ParamsOf<E>
  readonly query: QueryTypes<E>
  readonly body: BodyTypes<E>
  /** Metadata that goes beside raw bytes. */
  readonly meta: E extends { readonly upload: UploadSpec }
    ? Written<Named<z.input<E['upload']['meta']>>, z.output<E['upload']['meta']>>
    : undefined
  readonly result: ResultTypes<E, NotModified>
}

/** Every endpoint of the service by its id; who calls a few takes them with `Pick`. Who sends an ETag looks for 304. */
export type EveryEndpoint = { readonly [Id in DeclaredId]: DeclaredTypes<EndpointMap[Id]> }
