import type { EndpointMap, ResultOf } from '@integrity/protocol'
import type { endpointTable } from '../generated/access-endpoints.ts'
import type { LinkCall } from './link-call.ts'

export type AccessCall = LinkCall<keyof typeof endpointTable>
export type OwnerInvite = ResultOf<EndpointMap['ownerInvites.inspect']>
export type OpenedOrg = ResultOf<EndpointMap['ownerInvites.accept']>

/** As the contract has it; importing it would bring all its schemas into the page. */
export const passwordMin = 15
/** Of an account that has a second factor. */
export const passwordMinWithFactor = 8
