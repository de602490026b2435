/** Which page a link opens, by the kind of its token. A new page for a link adds its line here and in main.tsx. */
const pageOf = { rmt_: 'room' } as const
type TokenPrefix = keyof typeof pageOf

/** What a link carries behind its `#`: the page, what it is about, and the secret that opens it. */
export interface PageLink {
  readonly page: (typeof pageOf)[TokenPrefix]
  /** The id before the dot: the session of a room link. */
  readonly subject: string
  readonly token: string
}

/** The parts of `window` that are touched. */
export interface LinkPlace {
  readonly location: { readonly hash: string; readonly pathname: string; readonly search: string }
  readonly history: Pick<History, 'replaceState'>
  readonly sessionStorage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
}

const key = 'page-link'

/** `#ses_….rmt_…`, as the service mints it; undefined for anything else. */
export const parsePageLink = (hash: string): PageLink | undefined => {
  const match = /^#?([a-z]{3}_[\w-]{1,64})\.(([a-z]{3}_)[\w-]{16,128})$/.exec(hash)
  const [, subject, token, prefix] = match ?? []
  if (!subject || !token || !Object.hasOwn(pageOf, prefix ?? '')) return undefined
  return { page: pageOf[prefix as TokenPrefix], subject, token }
}

/**
 * Takes the link out of the address bar at once, so that it is in no history, screenshot or shared screen, and keeps it
 * for this tab alone, so that a reload goes on. `broken`: there was something behind the `#`, but no link of ours.
 */
export const takePageLink = (place: LinkPlace): PageLink | 'none' | 'broken' => {
  const { hash, pathname, search } = place.location
  if (hash === '' || hash === '#') return parsePageLink(place.sessionStorage.getItem(key) ?? '') ?? 'none'
  place.history.replaceState(null, '', `${pathname}${search}`)
  const link = parsePageLink(hash)
  if (!link) return 'broken'
  place.sessionStorage.setItem(key, `${link.subject}.${link.token}`)
  return link
}

/** After the end: the tab forgets the secret. */
export const forgetPageLink = (place: Pick<LinkPlace, 'sessionStorage'>): void => place.sessionStorage.removeItem(key)
