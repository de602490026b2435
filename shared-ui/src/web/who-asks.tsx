import type { Brand } from '@integrity/protocol/clients/brand'
import { Fragment, type ReactNode } from 'react'
import { Actions, Button } from './button.tsx'
import { Page } from './shell.tsx'
import { Welcome } from './welcome.tsx'

interface Props {
  readonly title: string
  /** What went wrong, above everything. */
  readonly notice?: ReactNode
  readonly asks: string
  readonly brand: Brand | undefined
  readonly rows: readonly (readonly [name: string, value: ReactNode])[]
  /** What the program is, and what it is not: a heading and its text each. */
  readonly about: readonly (readonly [title: string, text: string])[]
  readonly next: string
  readonly onNext: () => void
}

/** Who asks, for which interview, and what this program is. */
export const WhoAsks = ({ title, notice, asks, brand, rows, about, next, onNext }: Props) => (
  <Page title={title}>
    {notice}
    <p>{asks}</p>
    <Welcome brand={brand} />
    <dl className="card">
      {rows.map(([name, value]) => (
        <Fragment key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </Fragment>
      ))}
    </dl>
    {about.map(([heading, text]) => (
      <Fragment key={heading}>
        <h2>{heading}</h2>
        <p>{text}</p>
      </Fragment>
    ))}
    <Actions>
      <Button kind="main" onClick={onNext}>
        {next}
      </Button>
    </Actions>
  </Page>
)
