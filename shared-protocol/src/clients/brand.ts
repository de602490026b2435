import { type BrandSchemes, brandSchemes, type Paint } from './palette.ts'

/** An organisation as the service names it; what is in `brand` is the organisation's own and may be anything. */
export interface BrandedOrg {
  readonly name: string
  readonly brand: Readonly<Record<string, unknown>>
}

/** Where a brand is shown. */
export interface BrandPlace {
  /** An address of the service, absolute. */
  readonly service: string
  readonly paint: Paint
}

/** What of a brand a page uses. Without any of it a page looks as the product does. */
export interface Brand {
  readonly name: string
  /** Readable, whatever the organisation said. */
  readonly colours: BrandSchemes | undefined
  /** An address of this service, or a picture that is in it as a whole; another one would be a request to somebody else. */
  readonly logo: string | undefined
  /** Whom to ask about one's data: `href` is an e-mail address or a page to go to. */
  readonly contact: { readonly text: string; readonly href: string } | undefined
  /** A sentence of the organisation's own. */
  readonly welcome: string | undefined
}

/** Not every engine has `URL.canParse`. */
const parsed = (address: string, base?: string): URL | undefined => {
  try {
    return new URL(address, base)
  } catch {
    return undefined
  }
}

/** Pictures of pixels only: a drawing may hold addresses. */
const wholePicture = /^data:image\/(?:png|jpeg|webp);base64,[A-Za-z0-9+/]+={0,2}$/
const mostLogoCharacters = 1_000_000

const logoOf = (value: unknown, service: string): string | undefined => {
  if (typeof value !== 'string' || value.length > mostLogoCharacters) return undefined
  if (wholePicture.test(value)) return value
  const [url, own] = [parsed(value, service), parsed(service)]
  return url && own && /^https?:$/.test(url.protocol) && url.origin === own.origin ? url.href : undefined
}

/** Without `?` and `&`, with which an address could fill in more than whom to write to. */
const mailAddress = /^[^\s@<>"?&]+@[^\s@<>"?&]+\.[^\s@<>"?&]+$/

/** Whom to ask, if it is an e-mail address or an https address; anything else is nobody. */
export const contactOf = (value: unknown): Brand['contact'] => {
  if (typeof value !== 'string' || value.length > 300) return undefined
  const text = value.trim()
  if (mailAddress.test(text)) return { text, href: `mailto:${text.replaceAll(/[%#/]/g, encodeURIComponent)}` }
  const url = parsed(text)
  return url?.protocol === 'https:' ? { text: url.href, href: url.href } : undefined
}

const welcomeOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' && value.length <= 500 ? value.trim() : undefined

export const brandOf = ({ name, brand }: BrandedOrg, { service, paint }: BrandPlace): Brand => ({
  name,
  colours: brandSchemes(brand['palette'], brand['primaryColor'], paint),
  logo: logoOf(brand['logoUrl'], service),
  contact: contactOf(brand['privacyContact']),
  welcome: welcomeOf(brand['welcome']),
})
