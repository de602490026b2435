/** Which page a link opens, by the kind of its token; each page is in the folder of its name. */
const pageOf = {
  rmt_: 'room',
  ivt_: 'invitation',
  crq_: 'requests',
  own_: 'access',
  pwr_: 'password',
  inv_: 'invite',
  itk_: 'interviewer',
} as const
type TokenPrefix = keyof typeof pageOf
export type PageName = (typeof pageOf)[TokenPrefix]

/** What a link carries behind its `#`: the page, what it is about, and the secret that opens it. */
export interface PageLink {
  readonly page: PageName
  /** The id before the dot: the session of the link. */
  readonly subject: string
  readonly token: string
}

/** `#ses_…` alone: it names a session and opens nothing; the page of the requests begins with it. */
export interface BareLink {
  readonly page: 'requests'
  readonly subject: string
  readonly token?: undefined
}

/** The parts of `window` that are touched. */
export interface LinkPlace {
  readonly location: { readonly hash: string; readonly pathname: string; readonly search: string }
  readonly history: Pick<History, 'replaceState'>
  readonly sessionStorage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
}

const keyOf = (page: PageName): string => `page-link ${page}`

/** `#ses_….rmt_…`, as the service mints it; undefined for anything else. */
export const parsePageLink = (hash: string): PageLink | undefined => {
  const match = /^#?([a-z]{3}_[\w-]{1,64})\.(([a-z]{3}_)[\w-]{16,128})$/.exec(hash)
  const [, subject, token, prefix] = match ?? []
  if (!subject || !token || !Object.hasOwn(pageOf, prefix ?? '')) return undefined
  return { page: pageOf[prefix as TokenPrefix], subject, token }
}

const parseBareLink = (hash: string): BareLink | undefined => {
  const [, subject] = /^#?(ses_[\w-]{1,64})$/.exec(hash) ?? []
  return subject ? { page: 'requests', subject } : undefined
}

/** Each page parses its own: without a secret, a link to the room or to an invitation was cut off. */
const parseFor = <Page extends PageName>(page: Page, hash: string): LinkOf<Page> | undefined => {
  const link = parsePageLink(hash) ?? (page === 'requests' ? parseBareLink(hash) : undefined)
  return link as LinkOf<Page> | undefined
}

export type LinkOf<Page extends PageName> = Page extends 'requests' ? PageLink | BareLink : PageLink

/** Remembers a link for its page, in this tab alone. */
export const keepPageLink = (place: Pick<LinkPlace, 'sessionStorage'>, link: PageLink | BareLink): void =>
  place.sessionStorage.setItem(keyOf(link.page), link.token ? `${link.subject}.${link.token}` : link.subject)

/**
 * Takes the link out of the address bar at once, so that it is in no history, screenshot or shared screen, and keeps it
 * for this tab alone, so that a reload goes on. The link may belong to another page than the one that is open, which
 * then finds it kept. `broken`: there was something behind the `#`, but no link of ours.
 */
export const takePageLink = <Page extends PageName>(place: LinkPlace, page: Page): LinkOf<Page> | 'none' | 'broken' => {
  const { hash, pathname, search } = place.location
  if (hash === '' || hash === '#') return parseFor(page, place.sessionStorage.getItem(keyOf(page)) ?? '') ?? 'none'
  place.history.replaceState(null, '', `${pathname}${search}`)
  const link = parseFor(page, hash)
  if (!link) return 'broken'
  keepPageLink(place, link)
  return link
}

/** After the end: the tab forgets the secret. */
export const forgetPageLink = (place: Pick<LinkPlace, 'sessionStorage'>, page: PageName): void =>
  place.sessionStorage.removeItem(keyOf(page))
