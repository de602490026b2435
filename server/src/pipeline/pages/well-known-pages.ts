import type { Config } from '../../kernel/config.ts'
import { definePage, type Page } from './page.ts'

const securityTextPath = '/.well-known/security.txt'

/** Where a password is changed (W3C, "A Well-Known URL for Changing Passwords"), below the service. */
export const changePasswordPath = '/.well-known/change-password'

const dayMs = 86_400_000
/** RFC 9116, 2.5.5: less than a year, so that what an operator no longer reads is not believed for long. */
const validDays = 180

type Said = Pick<Config, 'baseUrl' | 'securityContacts'>

/** RFC 9116; the first contact is the preferred one. @param now epoch milliseconds */
const securityText = ({ baseUrl, securityContacts }: Said, now: number): string => {
  // From midnight on, so that it is the same all day.
  const expires = new Date((Math.floor(now / dayMs) + validDays) * dayMs).toISOString()
  const lines = [
    ...securityContacts.map((contact) => `Contact: ${contact}`),
    `Expires: ${expires}`,
    'Preferred-Languages: en',
    // It is canonical for what an https address says alone.
    ...(baseUrl.startsWith('https:') ? [`Canonical: ${baseUrl}${securityTextPath}`] : []),
  ]
  return `${lines.join('\n')}\n`
}

const pageOf = (text: string): Page =>
  definePage({ type: 'text/plain; charset=utf-8', bytes: Buffer.from(text), cacheControl: 'public, max-age=3600' })

/** By path; the text is of the day on which it is asked for. Without a contact there is none. */
export const wellKnownPages = (said: Said, now: () => number): { get(path: string): Page | undefined } => {
  let made: { readonly text: string; readonly page: Page } | undefined
  return {
    get(path) {
      if (path !== securityTextPath || said.securityContacts.length === 0) return undefined
      const text = securityText(said, now())
      if (made?.text !== text) made = { text, page: pageOf(text) }
      return made.page
    },
  }
}
