import type { ReactNode } from 'react'
import type { WindowState } from '../../../shared/ipc/window-state.ts'

export type LaneState = NonNullable<WindowState['recording']>['lanes'][number]['state']
type Shape = 'full' | 'half' | 'ring' | 'diamond' | 'bars' | 'dash'

const shapes: Readonly<Record<Shape, ReactNode>> = {
  full: <circle cx="10" cy="10" r="8" fill="currentColor" />,
  half: (
    <>
      <circle cx="10" cy="10" r="7" fill="none" stroke="currentColor" strokeWidth="2.5" />
      <path d="M10 3a7 7 0 0 1 0 14z" fill="currentColor" />
    </>
  ),
  ring: <circle cx="10" cy="10" r="7" fill="none" stroke="currentColor" strokeWidth="2.5" strokeDasharray="4 3" />,
  diamond: <path d="M10 2l8 8-8 8-8-8z" fill="none" stroke="currentColor" strokeWidth="2.5" />,
  bars: <path d="M5 3h4v14H5zM11 3h4v14h-4z" fill="currentColor" />,
  dash: <path d="M3 8.5h14v3H3z" fill="currentColor" />,
}

const shapeOf: Readonly<Record<LaneState, Shape>> = {
  starting: 'ring',
  up: 'full',
  degraded: 'half',
  down: 'diamond',
  paused: 'bars',
  declined: 'dash',
  withdrawn: 'dash',
  off: 'dash',
  not_asked: 'dash',
}

/** The light of a lane: a shape for each state, and a colour besides. The words are beside it. */
export const LaneLight = ({ state }: { readonly state: LaneState }) => (
  <svg className={`light ${state}`} viewBox="0 0 20 20" aria-hidden="true">
    {shapes[shapeOf[state]]}
  </svg>
)
