/** What a list is narrowed to; it is in the address, so that a link carries it. */
export interface InterviewsQuery {
  readonly state?: string | undefined
  /** Which interviews: real ones or those of the sandbox; both without it. */
  readonly environment?: string | undefined
  /** How the review stands; `none`: there is none. */
  readonly review?: string | undefined
  /** `words`: a page of what was searched. The words are in the page's memory and in no address. */
  readonly found?: string | undefined
  /** `me`: those that the reader has scheduled. */
  readonly by?: string | undefined
  /** `oldest`: the oldest first. */
  readonly sort?: string | undefined
  /** Where the page begins. */
  readonly cursor?: string | undefined
}

/** The rooms that have a section for each of their subjects. */
export const sectionRooms = ['organisation', 'developers', 'connections'] as const
export type SectionRoom = (typeof sectionRooms)[number]

/** What a list is narrowed to, and where its page begins, by the names of the address. */
export type ListQuery = Readonly<Record<string, string>>

/** A subject of a room, and what of it: `organisation/members/usr_…`. The first section where none is named. */
export interface SectionRoute {
  readonly room: SectionRoom
  readonly org?: string | undefined
  readonly section?: string | undefined
  readonly id?: string | undefined
  readonly query: ListQuery
}

/** What an address of the desk is about. `org`: the slug of the organisation; a link in a letter has none. */
export type Route =
  | { readonly room: 'today' | 'schedule'; readonly org?: string | undefined }
  | { readonly room: 'interviews'; readonly org?: string | undefined; readonly query: InterviewsQuery }
  | { readonly room: 'interview' | 'request'; readonly org?: string | undefined; readonly id: string }
  /** `t`: where the player opens, in whole seconds since the session started. */
  | { readonly room: 'review'; readonly org?: string | undefined; readonly id: string; readonly t?: string | undefined }
  | { readonly room: 'reviews'; readonly org?: string | undefined; readonly cursor?: string | undefined }
  | { readonly room: 'requests' | 'live'; readonly org?: string | undefined; readonly query: ListQuery }
  | SectionRoute
  | { readonly room: 'access-requests'; readonly org?: undefined; readonly query: ListQuery }
  | { readonly room: 'unknown'; readonly org?: undefined }

const root = '/desk/'
const oneOf = { interviews: 'interview', review: 'review', requests: 'request' } as const
const folders = { interview: 'interviews', review: 'review', request: 'requests' } as const
const idOf = {
  interviews: /^ses_[0-9a-z]{10,40}$/i,
  review: /^ses_[0-9a-z]{10,40}$/i,
  requests: /^crr_[0-9a-z]{10,40}$/i,
}
const segment = /^[\w-]{1,60}$/
const slug = /^[a-z0-9]+(?:-[a-z0-9]+)*$/

/** The path of the service in front of that of the desk, with its slash: a proxy may have put both below a folder. */
export const servicePath = (pathname: string): string => {
  const at = `${pathname}/`.indexOf(root)
  return at === -1 ? '/' : pathname.slice(0, at + 1)
}

const textOf = (search: URLSearchParams, name: string): string | undefined => search.get(name) || undefined

const interviewsQueryOf = (search: URLSearchParams): InterviewsQuery => ({
  state: textOf(search, 'state'),
  environment: textOf(search, 'environment'),
  review: textOf(search, 'review'),
  found: textOf(search, 'found'),
  by: textOf(search, 'by'),
  sort: textOf(search, 'sort'),
  cursor: textOf(search, 'cursor'),
})

const isSectionRoom = (room: string): room is SectionRoom => sectionRooms.some((name) => name === room)

const sectionAt = (
  room: SectionRoom,
  rest: readonly string[],
  query: ListQuery,
): Omit<SectionRoute, 'org'> | undefined => {
  const [section, id] = rest
  return rest.length > 2 || !rest.every((part) => segment.test(part)) ? undefined : { room, section, id, query }
}

const roomAt = (parts: readonly string[], search: URLSearchParams, org: string | undefined): Route | undefined => {
  const [room, id, ...more] = parts
  const query = Object.fromEntries(search)
  if (room !== undefined && isSectionRoom(room)) {
    const found = sectionAt(room, parts.slice(1), query)
    return found && { ...found, org }
  }
  if (more.length > 0) return undefined
  const cursor = textOf(search, 'cursor')
  if (room === undefined) return { room: 'today', org }
  if (room === 'interviews' && id === undefined) return { room, org, query: interviewsQueryOf(search) }
  if (room === 'interviews' && id === 'new') return { room: 'schedule', org }
  if (room === 'reviews' && id === undefined) return { room, org, cursor }
  if ((room === 'requests' || room === 'live') && id === undefined) return { room, org, query }
  if (room === 'access-requests' && id === undefined && org === undefined) return { room, query }
  if (!Object.hasOwn(oneOf, room) || id === undefined) return undefined
  const name = room as keyof typeof oneOf
  if (!idOf[name].test(id)) return undefined
  const found = oneOf[name]
  return found === 'review' ? { room: found, org, id, t: textOf(search, 't') } : { room: found, org, id }
}

/** What an address is about: `/desk/harbour/interviews`, `/desk/review/ses_…`. */
export const parseRoute = (pathname: string, search = ''): Route => {
  const at = `${pathname}/`.indexOf(root)
  const parts = pathname
    .slice(at + root.length)
    .split('/')
    .filter((part) => part !== '')
  const query = new URLSearchParams(search)
  const found = roomAt(parts, query, undefined)
  if (found) return found
  const [first = '', ...rest] = parts
  return (slug.test(first) && roomAt(rest, query, first)) || { room: 'unknown' }
}

const searchOf = (values: object): string => {
  const given = Object.entries(values).filter(([, value]) => typeof value === 'string' && value !== '')
  return given.length === 0 ? '' : `?${new URLSearchParams(Object.fromEntries(given))}`
}

/** The address of a route below that of the service. */
export const addressOf = (route: Route, service = '/'): string => {
  const within = `${service.replace(/\/$/, '')}${root}${route.org === undefined ? '' : `${route.org}/`}`
  switch (route.room) {
    case 'interviews':
      return `${within}interviews${searchOf(route.query)}`
    case 'reviews':
      return `${within}reviews${searchOf({ cursor: route.cursor })}`
    case 'requests':
    case 'live':
      return `${within}${route.room}${searchOf(route.query)}`
    case 'organisation':
    case 'developers':
    case 'connections':
      return `${within}${[route.room, route.section, route.id].filter(Boolean).join('/')}${searchOf(route.query)}`
    case 'review':
      return `${within}${folders.review}/${route.id}${searchOf({ t: route.t })}`
    case 'interview':
    case 'request':
      return `${within}${folders[route.room]}/${route.id}`
    case 'schedule':
      return `${within}interviews/new`
    case 'access-requests':
      return `${within}access-requests${searchOf(route.query)}`
    default:
      return within
  }
}
