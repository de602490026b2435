import { type ReactNode, useEffect, useState } from 'react'
import type { Org } from '../data/desk-api.ts'
import type { Route } from '../data/route.ts'
import { useDesk } from '../parts/desk-context.ts'
import { useEndpoint } from '../parts/use-endpoint.ts'

type OneSession = Extract<Route, { readonly id: string }>

/** Whether a route names an interview and not whose it is, as the links in letters do. */
export const isWithoutOrg = (route: Route): route is OneSession =>
  (route.room === 'interview' || route.room === 'review') && route.org === undefined

interface Props {
  readonly route: OneSession
  readonly orgs: readonly Org[]
  /** Shown while it is looked for, and where it is found nowhere: an interview can be read without it. */
  readonly children: ReactNode
}

/** Finds the organisation of an interview by its review, one organisation after the other, and goes to its full address. */
export const FoundOrg = ({ route, orgs, children }: Props): ReactNode => {
  const { navigation } = useDesk()
  const [tried, setTried] = useState(0)
  const org = orgs[tried] ?? orgs[0]
  const query = { sessionId: route.id, state: 'all', limit: 1 } as const
  const { state } = useEndpoint('portal.reviews.list', { params: { orgId: org?.id ?? '' }, query })
  const isKnown = state.name !== 'loading'
  const isHere = state.name === 'there' && state.data.total > 0
  useEffect(() => {
    if (isHere && org) navigation.correct({ ...route, org: org.slug })
    else if (isKnown && tried < orgs.length) setTried(tried + 1)
  }, [isHere, isKnown, org, orgs.length, navigation, route, tried])
  return children
}
