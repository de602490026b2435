import { Notice, MessagePage as SharedMessagePage } from '@integrity/shared-ui/web/shell'
import { useLanguage } from '../components/language.ts'
import type { LinkEnd } from '../session/room.types.ts'
import type { RoomText } from '../texts/room.ts'

export const MessagePage = SharedMessagePage<RoomText>

const linkPages = {
  none: { title: 'noLinkTitle', text: 'noLinkText' },
  wrong: { title: 'wrongLinkTitle', text: 'wrongLinkText' },
  expired: { title: 'expiredTitle', text: 'expiredText' },
  released: { title: 'releasedTitle', text: 'releasedText' },
  ended: { title: 'endedTitle', text: 'endedText' },
} as const satisfies Record<LinkEnd | 'none', { title: RoomText; text: RoomText }>

/** Why a link opens nothing, for every kind of link. */
export const LinkPage = ({ why, lost = 0 }: { readonly why: LinkEnd | 'none'; readonly lost?: number }) => (
  <MessagePage {...linkPages[why]}>
    <LostPictures lost={lost} />
  </MessagePage>
)

export const LostPictures = ({ lost }: { readonly lost: number }) => {
  const { t } = useLanguage()
  return lost > 0 ? <Notice kind="attention">{t('lost', { n: lost })}</Notice> : null
}
