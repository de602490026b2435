import { type Spoken, useSpoken } from './spoken.tsx'

interface Props {
  /** Whom the organisation names, with an address where the page may lead there. */
  readonly contact?: { readonly text: string; readonly href?: string } | undefined
  /** Whom to ask where nobody is named. */
  readonly otherwise?: 'helpInviter' | 'helpManager' | 'helpRequest'
  readonly session?: string | undefined
}

/** At the foot of every page: whom to ask, and which session to name. */
export const HelpLine = ({ contact, otherwise = 'helpInviter', session }: Props) => {
  const { t }: Spoken = useSpoken()
  const [before = '', after = ''] = t('helpContact').split('{contact}')
  return (
    <p>
      {contact ? (
        <>
          {before}
          {contact.href ? (
            <a href={contact.href} target="_blank" rel="noreferrer">
              {contact.text}
            </a>
          ) : (
            <bdi>{contact.text}</bdi>
          )}
          {after}
        </>
      ) : (
        t(otherwise)
      )}
      {session ? <> · {t('helpSession', { id: session })}</> : null}
    </p>
  )
}
