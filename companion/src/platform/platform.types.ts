import type { Brand } from '@integrity/protocol/clients/brand'
import type { Ports } from '../session/session.ports.ts'
import type { PhoneLanguage } from '../texts/phone.ts'

/** What a browser and a device do differently. */
export interface Platform {
  readonly ports: Ports
  /** The address of the service, which may change with a scanned code. */
  readonly service: () => string
  /** BCP 47. */
  readonly languageTag: string | undefined
  /** Tells the surroundings, a screen reader among them, which language is shown. */
  showLanguage(language: PhoneLanguage): void
  /** Paints what is around the app; without colours as the product does. */
  showColours(brand: Brand['colours']): void
  /** The link that opened the app, once; a code in it is gone from where it stood. */
  takeLink(): string | undefined
}
