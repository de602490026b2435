import { createCaller } from '@integrity/client/caller'
import type { EveryEndpoint } from '@integrity/client/contract-types'
import { createLinkPagePorts } from '@integrity/shared-ui/browser/link-page'
import type { DraftStorage } from '@integrity/shared-ui/session/draft'
import { Visit } from '@integrity/shared-ui/session/visit'
import { type DeskCaller, type Person, readPerson } from '../data/desk-api.ts'
import { QueryStore } from '../data/query-store.ts'
import { isOver, renewing } from '../data/renewing.ts'
import { servicePath } from '../data/route.ts'
import { endpointTable } from '../generated/desk-endpoints.ts'
import { createEventFeed, type FollowEvents } from './event-feed.ts'
import { createFileAddress, type FileAddress } from './file-address.ts'
import { createNavigation, type Navigation } from './navigation.ts'
import { createAccountCaller, type SignIn, signInWith } from './open-account.ts'
import { createPageMemory } from './page-memory.ts'
import { forgetPerson } from './tab-memory.ts'

export interface OpenDesk {
  readonly signIn: SignIn
  /** Where people see to their account. */
  readonly accountPage: string
  /** Shows a page of candidates with a brand that is being typed, in a frame. */
  readonly previewPage: string
  readonly visit: Visit<{ readonly person: Person | undefined }>
  /** For who is signed in. */
  readonly own: DeskCaller
  readonly queries: QueryStore
  readonly navigation: Navigation
  readonly followEvents: FollowEvents
  readonly fileAddress: FileAddress
  /** By the service's clock, epoch milliseconds. */
  readonly now: () => number
  /** What is being written about a candidate: it outlives a sign-in that has ended, and no reload. */
  readonly pageMemory: DraftStorage
  /** Whether a write failed because nobody is signed in any more; the sign-in then takes the place of the page. */
  readonly endedBy: (error: unknown) => boolean
  /** Ends the sign-in, at the identity provider of the organisation with this slug too where it has one for that. */
  readonly signOut: (orgSlug?: string) => Promise<void>
}

export const openDesk = (): OpenDesk => {
  const service = new URL(servicePath(location.pathname), location.href).href
  const ports = createLinkPagePorts(service)
  const { baseUrl, fetch, onDate, time, page } = ports
  const caller = createCaller<Pick<EveryEndpoint, keyof typeof endpointTable>>({
    table: endpointTable,
    baseUrl,
    token: undefined,
    fetch,
    onDate,
    timeoutMs: 20_000,
  })
  const own = renewing(caller, () => caller.call('auth.refresh'))
  const visit = new Visit({ read: async () => ({ person: await readPerson(own) }), time, page })
  const queries: QueryStore = new QueryStore({
    ask: async (id, input) => (await own.call(id as 'auth.me', input as never)).data,
    now: time.now,
    page,
    onOver: () => void visit.refresh(),
  })
  void visit.refresh()
  const signIn = signInWith(ports, {
    caller: createAccountCaller(ports),
    // Who comes may be somebody else than who was here.
    visit: {
      refresh: () => {
        queries.clear()
        return visit.refresh()
      },
    },
    returnTo: () => location.pathname + location.search,
  })
  const endedBy = (error: unknown): boolean => {
    if (!isOver(error)) return false
    void visit.refresh()
    return true
  }
  const pageMemory = createPageMemory()
  const signOut = async (orgSlug?: string) => {
    // Whoever came with a password, or to an organisation without such an address, has none: the sign-out does not wait for it.
    const elsewhere =
      orgSlug === undefined
        ? undefined
        : await own.call('sso.logoutUrl', { params: { orgSlug } }).catch(() => undefined)
    await own.call('auth.logout')
    forgetPerson()
    pageMemory.clear()
    queries.clear()
    const url = elsewhere?.data.url
    if (url) location.assign(url)
    else await visit.refresh()
  }
  const accountPage = `${baseUrl}/account/`
  const previewPage = `${baseUrl}/preview/`
  const navigation = createNavigation()
  const asked = { own, queries, followEvents: createEventFeed(baseUrl), fileAddress: createFileAddress(baseUrl) }
  return { signIn, accountPage, previewPage, visit, ...asked, navigation, now: time.now, pageMemory, endedBy, signOut }
}
