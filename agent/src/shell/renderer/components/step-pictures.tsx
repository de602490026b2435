import type { ReactNode } from 'react'

export type StepPictureName = 'settings' | 'list' | 'switch' | 'restart' | 'sound' | 'share' | 'again'

const outline = { fill: 'none', stroke: 'currentColor', strokeWidth: 2 } as const
const frame = <rect x="5" y="5" width="86" height="54" rx="5" {...outline} />
const row = (y: number) => <path key={y} d={`M46 ${y}h32`} {...outline} />

const pictures: Readonly<Record<StepPictureName, ReactNode>> = {
  settings: (
    <>
      {frame}
      <path d="M34 5v54" {...outline} />
      <circle cx="62" cy="32" r="8" {...outline} />
      <path d="M62 18v6M62 40v6M48 32h6M70 32h6M52 22l4 4M68 38l4 4M72 22l-4 4M56 38l-4 4" {...outline} />
      <path className="marked" d="M10 20h18v8H10z" />
    </>
  ),
  list: (
    <>
      {frame}
      <path d="M34 5v54" {...outline} />
      {[18, 46].map(row)}
      <path className="marked" d="M40 26h44v12H40z" />
    </>
  ),
  switch: (
    <>
      {frame}
      {[17, 47].map((y) => (
        <path key={y} d={`M14 ${y}h34`} {...outline} />
      ))}
      <path d="M14 32h34" {...outline} strokeWidth={4} />
      <rect className="marked" x="58" y="24" width="28" height="16" rx="8" />
      <circle className="knob" cx="78" cy="32" r="5.5" />
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

/** A drawing of what a step's words say. */
export const StepPicture = ({ name }: { readonly name: StepPictureName }) => (
  <svg className="step-picture" viewBox="0 0 96 64" aria-hidden="true">
    {pictures[name]}
  </svg>
)
