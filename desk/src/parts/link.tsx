import type { MouseEvent, ReactNode } from 'react'
import type { Route } from '../data/route.ts'
import { useDesk } from './desk-context.ts'

interface Props {
  readonly to: Route
  /** It leads to where the reader is. */
  readonly current?: boolean
  readonly children: ReactNode
}

/** Whether the browser is to follow it itself: into another tab or window, or to a file. */
const isBrowsers = ({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): boolean =>
  button !== 0 || metaKey || ctrlKey || shiftKey || altKey

/** Leads to another place of the desk without loading it again. */
export const Link = ({ to, current = false, children }: Props) => {
  const { navigation } = useDesk()
  const follow = (event: MouseEvent) => {
    if (isBrowsers(event)) return
    event.preventDefault()
    navigation.go(to)
  }
  return (
    <a href={navigation.addressOf(to)} aria-current={current ? 'page' : undefined} onClick={follow}>
      {children}
    </a>
  )
}
