import { type ReactNode, useId } from 'react'

interface SectionProps {
  readonly title: string
  readonly card?: boolean
  readonly children: ReactNode
}

/** A part of a page under its heading. */
export const Section = ({ title, card = false, children }: SectionProps) => {
  const id = useId()
  return (
    <section aria-labelledby={id} className={card ? 'card' : undefined}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  )
}
