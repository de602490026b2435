import type { ComponentProps, ReactNode } from 'react'

const classes = { facts: 'facts', sums: 'facts sums', kept: 'facts kept', counts: 'counts', terms: 'terms' } as const

interface FactsProps {
  /** How the names and what they are stand together. */
  readonly kind?: keyof typeof classes
  readonly children: ReactNode
}

/** Names, and what each of them is. */
export const Facts = ({ kind = 'facts', children }: FactsProps) => <dl className={classes[kind]}>{children}</dl>

interface FactProps extends ComponentProps<'dd'> {
  readonly name: ReactNode
  readonly [data: `data-${string}`]: string | undefined
}

export const Fact = ({ name, ...rest }: FactProps) => (
  <div>
    <dt>{name}</dt>
    <dd {...rest} />
  </div>
)
