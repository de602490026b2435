import type { EndpointSpec } from '@integrity/protocol'
import type { Content } from '../kernel/content.ts'
import type { EventFeed, TogetherWrite } from '../kernel/handler.ts'
import type { Tx } from '../platform/db/types.ts'
import type { AnyCall, AnyInput } from './any-request.ts'
import type { JoinedWrites } from './write-together.ts'

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
