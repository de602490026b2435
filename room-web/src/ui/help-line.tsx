import { type Spoken, useSpoken } from './spoken.tsx'

type HelpText = 'helpInviter' | 'helpContact' | 'helpSession'

interface Props {
  /** Whom the organisation names, with an address where the page may lead there; else whoever invited. */
  readonly contact: { readonly text: string; readonly href?: string } | undefined
  readonly session: string | undefined
}

/** At the foot of every page: whom to ask, and which session to name. */
export const HelpLine = ({ contact, session }: Props) => {
  const { t }: Spoken<HelpText> = useSpoken()
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
        t('helpInviter')
      )}
      {session ? <> · {t('helpSession', { id: session })}</> : null}
    </p>
  )
}
