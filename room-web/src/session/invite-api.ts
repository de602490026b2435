import type { EndpointMap, ResultOf } from '@integrity/protocol'
import type { endpointTable } from '../generated/invite-endpoints.ts'
import type { LinkCall } from './link-call.ts'

export type InviteCall = LinkCall<keyof typeof endpointTable>
export type InviteFacts = ResultOf<EndpointMap['invites.inspect']>
export type Joined = ResultOf<EndpointMap['invites.accept']>

/** An invite, and who is signed in in this browser. */
export interface InviteInHand {
  readonly invite: InviteFacts
  /** An address; undefined for nobody. */
  readonly signedInAs: string | undefined
}
