import { type Brand, brandOf } from '@integrity/protocol/clients/brand'
import { pagePaint } from '@integrity/protocol/clients/palette'
import { useEffect, useMemo, useState } from 'react'
import { useAgent } from './agent.tsx'

/** The logo of the session's organisation, once the core has it. */
const useLogo = (): string | undefined => {
  const { store, state } = useAgent()
  const address = state.session?.brand?.logoUrl
  const [logo, setLogo] = useState<{ readonly address: string; readonly picture: string | null }>()
  useEffect(() => {
    if (address === undefined) return undefined
    let stale = false
    const end = (picture: string | null): void => {
      if (!stale) setLogo({ address, picture })
    }
    store.bridge.call('session.logo', {}).then(
      ({ picture }) => end(picture),
      () => end(null),
    )
    return () => {
      stale = true
    }
  }, [store, address])
  return logo?.address === address ? (logo?.picture ?? undefined) : undefined
}

/** Who asks, as they look; undefined before a session. */
export const useBrand = (): Brand | undefined => {
  const { session } = useAgent().state
  const name = session?.orgName
  // The state is sent as a whole: what is in it is another object each time, and mostly the same.
  const brand = JSON.stringify(session?.brand ?? {})
  const logo = useLogo()
  return useMemo(
    () =>
      name === undefined
        ? undefined
        : brandOf(
            { name, brand: { ...JSON.parse(brand), logoUrl: logo } },
            { service: location.href, paint: pagePaint },
          ),
    [name, brand, logo],
  )
}
