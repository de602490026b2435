import type { EndpointSpec } from '@integrity/protocol'
import type { By } from '../kernel/call.ts'
import type { EndpointCall, Input } from '../kernel/handler.ts'
import type { Actor } from '../kernel/identity/actor.ts'

export type AnyCall = Omit<EndpointCall<EndpointSpec>, 'actor'> & By<Actor>
export type AnyInput = Input<EndpointSpec>

/** A request on its way to a handler, with its endpoint's types forgotten. */
export interface AnyRequest {
  readonly call: AnyCall
  readonly input: AnyInput
}
