import { type Brand, brandOf } from '@integrity/protocol/clients/brand'
import { pageGrounds } from '@integrity/protocol/clients/tokens'
import type { RoomFacts } from '../session/room.types.ts'

/** Whose page this is, once the service has said it. */
export const pageBrand = (org: RoomFacts['org'] | undefined): Brand | undefined =>
  org && brandOf(org, { service: location.href, grounds: pageGrounds })
