import type { EndpointSpec } from '@integrity/protocol'
import type { By } from '../kernel/call.ts'
import type { Content } from '../kernel/content.ts'
import type { EndpointCall, EventFeed, Input, TogetherWrite } from '../kernel/handler.ts'
import type { Actor } from '../kernel/identity/actor.ts'
import type { Tx } from '../platform/db/types.ts'
import type { JoinedWrites } from './write-together.ts'

export type AnyCall = Omit<EndpointCall<EndpointSpec>, 'actor'> & By<Actor>
export type AnyInput = Input<EndpointSpec>

/** A request on its way to a handler. */
export interface AnyRequest {
  readonly call: AnyCall
  readonly input: AnyInput
}

/** A handler of any endpoint, with its types forgotten; `HandlerMap` has checked them. */
export interface LooseHandler {
  readonly long?: true
  read?(call: AnyCall, input: AnyInput): Promise<unknown>
  prepare?(call: AnyCall, input: AnyInput): Promise<unknown>
  write?(call: AnyCall & { readonly tx: Tx }, input: AnyInput, prepared: unknown): Promise<unknown>
  discard?(call: AnyCall, input: AnyInput, prepared: unknown): Promise<void>
  together?: TogetherWrite<EndpointSpec>
  /** Made of `together`. */
  joined?: JoinedWrites
  content?(call: AnyCall, input: AnyInput): Promise<Content>
  follow?(call: AnyCall, input: AnyInput): Promise<EventFeed>
}
