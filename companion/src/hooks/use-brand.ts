import { type Brand, brandOf } from '@integrity/protocol/clients/brand'
import { phonePaint } from '@integrity/protocol/clients/palette'
import { createContext, useContext, useMemo } from 'react'
import type { Pairing } from '../session/session.types.ts'

/** Who asks, once the service has said it; `service` is its address. */
export const useBrandOf = (pairing: Pairing | undefined, service: () => string): Brand | undefined => {
  const org = pairing?.org
  return useMemo(() => org && brandOf(org, { service: service(), paint: phonePaint }), [org, service])
}

export const BrandContext = createContext<Brand | undefined>(undefined)

/** What is known of the interview, once a code was taken. */
export const PairingContext = createContext<Pairing | undefined>(undefined)

/** The service's address. */
export const ServiceContext = createContext('')

/** Whose side view this is; undefined before a code was taken. */
export const useBrand = (): Brand | undefined => useContext(BrandContext)
