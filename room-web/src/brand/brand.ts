import { readableAccent } from './contrast.ts'

/** An organisation as the service names it; what is in `brand` is the organisation's own and may be anything. */
export interface Org {
  readonly name: string
  readonly brand: Readonly<Record<string, unknown>>
}

/** What of a brand this page uses. */
export interface Brand {
  readonly name: string
  /** `#rrggbb`, readable on white and under white. */
  readonly accent: string | undefined
  /** An address of this service; another one would be a request to somebody else. */
  readonly logo: string | undefined
}

const logoOf = (value: unknown, here: string): string | undefined => {
  if (typeof value !== 'string' || !URL.canParse(value, here)) return undefined
  const url = new URL(value, here)
  return url.origin === new URL(here).origin ? url.href : undefined
}

/** `here`: the address of this page. */
export const brandOf = ({ name, brand }: Org, here: string): Brand => {
  const { primaryColor, logoUrl } = brand
  const accent = typeof primaryColor === 'string' ? readableAccent(primaryColor) : undefined
  return { name, accent, logo: logoOf(logoUrl, here) }
}
