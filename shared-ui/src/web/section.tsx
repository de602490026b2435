import { type ComponentProps, type Ref, useId } from 'react'

interface SectionProps extends Omit<ComponentProps<'section'>, 'title' | 'className' | 'aria-labelledby'> {
  readonly title: string
  readonly card?: boolean
  readonly ref?: Ref<HTMLElement>
  readonly [data: `data-${string}`]: string | undefined
}

/** A part of a page under its heading. */
export const Section = ({ title, card = false, children, ...rest }: SectionProps) => {
  const id = useId()
  return (
    <section aria-labelledby={id} className={card ? 'card' : undefined} {...rest}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  )
}
