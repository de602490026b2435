import { readableAccent } from './contrast.ts'

/** An organisation as the service names it; what is in `brand` is the organisation's own and may be anything. */
export interface Org {
  readonly name: string
  readonly brand: Readonly<Record<string, unknown>>
}

/** What of a brand this page uses. */
export interface Brand {
  readonly name: string
  /** `#rrggbb`, readable on the page and under its text: one for a light page, one for a dark one. */
  readonly accent: { readonly light: string; readonly dark: string } | undefined
  /** An address of this service; another one would be a request to somebody else. */
  readonly logo: string | undefined
}

/** What is behind the accent, `--surface` in the style sheet. */
export const surfaces = { light: '#ffffff', dark: '#161b22' } as const

const accentOf = (value: unknown): Brand['accent'] => {
  if (typeof value !== 'string') return undefined
  const [light, dark] = [readableAccent(value, surfaces.light), readableAccent(value, surfaces.dark)]
  return light !== undefined && dark !== undefined ? { light, dark } : undefined
}

const logoOf = (value: unknown, here: string): string | undefined => {
  if (typeof value !== 'string' || !URL.canParse(value, here)) return undefined
  const url = new URL(value, here)
  return url.origin === new URL(here).origin ? url.href : undefined
}

/** `here`: the address of this page. */
export const brandOf = ({ name, brand }: Org, here: string): Brand => {
  const { primaryColor, logoUrl } = brand
  return { name, accent: accentOf(primaryColor), logo: logoOf(logoUrl, here) }
}
