import { type ReactNode, useState } from 'react'

interface Props {
  readonly title: string
  /** Whether it is unfolded when the page appears, as when something in it waits for its end. */
  readonly unfolded?: boolean
  readonly children: ReactNode
}

/** A part of a page that is read by those who look for it. */
export const Folded = ({ title, unfolded = false, children }: Props) => {
  const [atFirst] = useState(unfolded)
  return (
    <details className="wish" open={atFirst}>
      <summary>
        <h2>{title}</h2>
      </summary>
      {children}
    </details>
  )
}
