import { createContext, use, useSyncExternalStore } from 'react'
import type { OpenDesk } from '../browser/open-desk.ts'
import type { Org, Permission, Person } from '../data/desk-api.ts'
import type { Route } from '../data/route.ts'

export interface Desk
  extends Pick<
    OpenDesk,
    | ('navigation' | 'queries' | 'own' | 'followEvents' | 'fileAddress' | 'accountPage' | 'previewPage')
    | ('endedBy' | 'now' | 'pageMemory')
  > {
  readonly person: Person
  /** The one whose desk is open. */
  readonly org: Org
}

const Opened = createContext<Desk | undefined>(undefined)
export const DeskProvider = Opened.Provider

/** The desk of whoever is signed in. */
export const useDesk = (): Desk => {
  const desk = use(Opened)
  if (!desk) throw new Error('outside of the desk')
  return desk
}

/** Whether the person may do this in the organisation. The service decides; here it says what is offered. */
export const useMay = (permission: Permission): boolean => useDesk().org.permissions.includes(permission)

/** Where in the desk the tab is. */
export const useRoute = ({ subscribe, route }: OpenDesk['navigation']): Route => useSyncExternalStore(subscribe, route)
