import type { ReactNode } from 'react'
import type { ListQuery } from '../../data/route.ts'
import { LiveView } from './live-view.tsx'
import { LiveWall } from './live-wall.tsx'

/** All that goes on, or the one interview that the address names. */
export const LivePage = ({ query }: { readonly query: ListQuery }): ReactNode => {
  const id = query['session']
  return id === undefined ? <LiveWall /> : <LiveView key={id} id={id} />
}
