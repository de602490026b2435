import { addressOf, parseRoute, type Route, servicePath } from '../data/route.ts'

/** Where in the desk this tab is. The browser's own way back and forward works. */
export interface Navigation {
  readonly route: () => Route
  readonly subscribe: (listener: () => void) => () => void
  readonly go: (route: Route) => void
  /** The same place under its full address: no step for the way back. */
  readonly correct: (route: Route) => void
  readonly addressOf: (route: Route) => string
}

export const createNavigation = (): Navigation => {
  const service = servicePath(location.pathname)
  const listeners = new Set<() => void>()
  const read = () => parseRoute(location.pathname, location.search)
  let route = read()
  const arrived = () => {
    route = read()
    for (const listener of listeners) listener()
  }
  addEventListener('popstate', arrived)
  return {
    route: () => route,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    go: (to) => {
      history.pushState(null, '', addressOf(to, service))
      arrived()
      scrollTo(0, 0)
    },
    correct: (to) => {
      history.replaceState(null, '', addressOf(to, service))
      arrived()
    },
    addressOf: (to) => addressOf(to, service),
  }
}
