import type { ReactNode } from 'react'
import { useLanguage } from '../components/language.tsx'
import { Page } from '../components/shell.tsx'
import type { LinkEnd } from '../session/room.types.ts'
import type { Texts } from '../texts/en.ts'

interface MessageProps {
  readonly title: keyof Texts
  readonly text: keyof Texts
  readonly values?: Readonly<Record<string, string | number>>
  readonly children?: ReactNode
}

/** A page that says one thing. */
export const MessagePage = ({ title, text, values, children }: MessageProps) => {
  const { t } = useLanguage()
  return (
    <Page title={t(title)}>
      <p>{t(text, values)}</p>
      {children}
    </Page>
  )
}

const linkPages = {
  none: { title: 'noLinkTitle', text: 'noLinkText' },
  wrong: { title: 'wrongLinkTitle', text: 'wrongLinkText' },
  expired: { title: 'expiredTitle', text: 'expiredText' },
  released: { title: 'releasedTitle', text: 'releasedText' },
  ended: { title: 'endedTitle', text: 'endedText' },
} as const satisfies Record<LinkEnd | 'none', { title: keyof Texts; text: keyof Texts }>

/** Why a link opens nothing, for every kind of link. */
export const LinkPage = ({ why, lost = 0 }: { readonly why: LinkEnd | 'none'; readonly lost?: number }) => (
  <MessagePage {...linkPages[why]}>
    <LostPictures lost={lost} />
  </MessagePage>
)

export const LostPictures = ({ lost }: { readonly lost: number }) => {
  const { t } = useLanguage()
  return lost > 0 ? <p className="notice attention">{t('lost', { n: lost })}</p> : null
}
