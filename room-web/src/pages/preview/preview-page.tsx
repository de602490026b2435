import { type Brand, brandOf } from '@integrity/protocol/clients/brand'
import { pagePaint, phonePaint } from '@integrity/protocol/clients/palette'
import { brandProperty, coloursIn, pageColours, phoneColours } from '@integrity/protocol/clients/tokens'
import type { BrandPreview, PreviewedPlace } from '@integrity/shared-ui/session/brand-preview'
import { type ReactNode, useEffect, useMemo, useSyncExternalStore } from 'react'
import { AgentPreview } from './agent-preview.tsx'
import { InvitationPreview } from './invitation-preview.tsx'
import { PhonePreview } from './phone-preview.tsx'
import type { PreviewProps } from './preview-props.ts'
import { RoomPreview } from './room-preview.tsx'
import type { ShownBrand } from './shown-brand.ts'

const previews: Readonly<Record<PreviewedPlace, (props: PreviewProps) => ReactNode>> = {
  agent: AgentPreview,
  phone: PhonePreview,
  room: RoomPreview,
  invitation: InvitationPreview,
}

/** In the scheme that the desk asks for, whichever the browser prefers: both schemes get its colours. */
const paintIn = ({ place, scheme: wanted }: BrandPreview, { colours }: Brand): void => {
  const { style } = document.documentElement
  const scheme = colours?.alwaysDark ? 'dark' : wanted
  const usual = { ...coloursIn(pageColours, scheme), ...(place === 'phone' ? coloursIn(phoneColours, scheme) : {}) }
  const painted: Readonly<Record<string, string>> = { ...usual, ...colours?.[scheme] }
  style.colorScheme = scheme
  for (const name of Object.keys(pageColours))
    for (const other of ['light', 'dark'] as const) style.setProperty(brandProperty(other, name), painted[name] ?? '')
}

const Preview = ({ shown }: { readonly shown: BrandPreview }) => {
  const { place, org } = shown
  const brand = useMemo(
    () => brandOf(org, { service: location.href, paint: place === 'phone' ? phonePaint : pagePaint }),
    [org, place],
  )
  // After each time that it is drawn, as what is drawn paints the scheme of the browser.
  useEffect(() => paintIn(shown, brand))
  const Place = previews[place]
  return <Place shown={shown} brand={brand} />
}

/** One page of candidates with the brand that somebody types on the desk, in a frame of the desk. */
export const PreviewPage = ({ brand }: { readonly brand: ShownBrand }) => {
  const shown = useSyncExternalStore(brand.subscribe, brand.now)
  return shown ? <Preview key={`${shown.place} ${shown.language}`} shown={shown} /> : null
}
