import type { ReactNode } from 'react'
import type { WindowState } from '../../../shared/ipc/window-state.ts'

type Platform = WindowState['platform']

export type StepPictureName = 'settings' | 'list' | 'switch' | 'restart' | 'sound' | 'share' | 'again'

const outline = { fill: 'none', stroke: 'currentColor', strokeWidth: 2 } as const
/** Where each system closes a window. */
const corners: Readonly<Record<Platform, ReactNode>> = {
  darwin: [10, 15, 20].map((x) => <circle key={x} cx={x} cy="10" r="1.6" fill="currentColor" />),
  win32: <path d="M72 10h4M79 8h4v4h-4zM86 8l4 4M90 8l-4 4" {...outline} strokeWidth={1} />,
  linux: <path d="M83 8l4 4M87 8l-4 4" {...outline} strokeWidth={1.5} />,
  other: null,
}
const frame = (
  <>
    <rect x="5" y="5" width="86" height="54" rx="5" {...outline} />
    <path d="M5 15h86" {...outline} strokeWidth={1} />
  </>
)
const framed: readonly StepPictureName[] = ['settings', 'list', 'switch', 'sound', 'again']
const row = (y: number) => <path key={y} d={`M46 ${y}h32`} {...outline} />

const pictures: Readonly<Record<StepPictureName, ReactNode>> = {
  settings: (
    <>
      {frame}
      <path d="M34 15v44" {...outline} />
      <circle cx="62" cy="36" r="8" {...outline} />
      <path d="M62 22v6M62 44v6M48 36h6M70 36h6M52 26l4 4M68 42l4 4M72 26l-4 4M56 42l-4 4" {...outline} />
      <path className="marked" d="M10 22h18v8H10z" />
      <path d="M10 36h18M10 44h18" {...outline} />
    </>
  ),
  list: (
    <>
      {frame}
      <path d="M34 15v44" {...outline} />
      {[22, 49].map(row)}
      <path className="marked" d="M40 29h44v12H40z" />
    </>
  ),
  switch: (
    <>
      {frame}
      {[23, 50].map((y) => (
        <path key={y} d={`M14 ${y}h34`} {...outline} />
      ))}
      <path d="M14 37h34" {...outline} strokeWidth={4} />
      <rect className="marked" x="58" y="29" width="28" height="16" rx="8" />
      <circle className="knob" cx="78" cy="37" r="5.5" />
    </>
  ),
  restart: (
    <>
      <path d="M64 20a22 22 0 1 0 6 14" {...outline} strokeWidth={4} />
      <path className="marked" d="M74 8v18H56z" />
    </>
  ),
  sound: (
    <>
      {frame}
      <path className="marked" d="M24 26h10l12-10v32L34 38H24z" />
      <path d="M54 24a12 12 0 0 1 0 16M62 18a20 20 0 0 1 0 28" {...outline} />
    </>
  ),
  share: (
    <>
      <rect x="5" y="12" width="40" height="28" rx="3" {...outline} />
      <rect x="51" y="12" width="40" height="28" rx="3" {...outline} />
      <path d="M25 40v10M71 40v10M15 52h20M61 52h20" {...outline} />
      <path className="line" d="M17 26l6 6 11-12M63 26l6 6 11-12" />
    </>
  ),
  again: (
    <>
      {frame}
      <path className="line" d="M28 33l14 14 28-30" />
    </>
  ),
}

interface Props {
  readonly name: StepPictureName
  readonly platform: Platform
}

/** A drawing of what a step's words say, in a window as this system draws it. */
export const StepPicture = ({ name, platform }: Props) => (
  <svg className="step-picture" viewBox="0 0 96 64" aria-hidden="true">
    {framed.includes(name) ? corners[platform] : null}
    {pictures[name]}
  </svg>
)
