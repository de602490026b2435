import { type Brand, brandOf } from '@integrity/protocol/clients/brand'
import { pagePaint } from '@integrity/protocol/clients/palette'
import { useMemo } from 'react'
import type { RoomFacts } from '../session/room.types.ts'

/** Whose page this is, once the service has said it. */
export const usePageBrand = (org: RoomFacts['org'] | undefined): Brand | undefined =>
  useMemo(() => org && brandOf(org, { service: location.href, paint: pagePaint }), [org])
