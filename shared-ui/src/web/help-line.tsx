import { type Inviter, inviterLine } from '@integrity/protocol/clients/inviter'
import type { ReactNode } from 'react'
import { type Spoken, useSpoken } from './spoken.tsx'

interface Props {
  /** Whom the organisation names, with an address where the page may lead there. */
  readonly contact?: { readonly text: string; readonly href?: string } | undefined
  /** Who invited, where the service says it. */
  readonly inviter?: Inviter | null | undefined
  /** Whom to ask where nobody is named. */
  readonly otherwise?: 'helpInviter' | 'helpManager' | 'helpRequest'
  readonly session?: string | undefined
}

/** A text with one value in it that is set apart from the words around. */
const Around = ({
  text,
  name,
  children,
}: {
  readonly text: string
  readonly name: string
  readonly children: ReactNode
}) => {
  const [before = '', after = ''] = text.split(`{${name}}`)
  return (
    <>
      {before}
      {children}
      {after}
    </>
  )
}

/** At the foot of every page: whom to ask, and which session to name. */
export const HelpLine = ({ contact, inviter, otherwise = 'helpInviter', session }: Props) => {
  const { t }: Spoken = useSpoken()
  return (
    <p>
      {inviter ? (
        <Around text={t('helpInviterNamed')} name="inviter">
          <bdi>{inviterLine(inviter)}</bdi>
        </Around>
      ) : null}
      {inviter && contact ? <> · </> : null}
      {contact ? (
        <Around text={t('helpContact')} name="contact">
          {contact.href ? (
            <a href={contact.href} target="_blank" rel="noreferrer">
              {contact.text}
            </a>
          ) : (
            <bdi>{contact.text}</bdi>
          )}
        </Around>
      ) : null}
      {inviter || contact ? null : t(otherwise)}
      {session ? <> · {t('helpSession', { id: session })}</> : null}
    </p>
  )
}
