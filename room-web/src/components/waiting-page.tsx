import type { ReactNode } from 'react'
import type { LinkText } from '../texts/link.ts'
import { MessagePage as SharedMessagePage } from '../ui/shell.tsx'
import { useLinkLanguage } from './link-language.ts'

const MessagePage = SharedMessagePage<LinkText>

interface Props {
  readonly why: 'opening' | 'offline' | 'trouble'
  readonly onTryNow: () => void
}

/** Before anything could be read. */
export const WaitingPage = ({ why, onTryNow }: Props): ReactNode => {
  const { t } = useLinkLanguage()
  if (why === 'opening') return <MessagePage title="openingTitle" text="openingText" />
  return (
    <MessagePage title={`${why}Title`} text={`${why}Text`}>
      <div className="actions">
        <button type="button" className="main" onClick={onTryNow}>
          {t('tryNow')}
        </button>
      </div>
    </MessagePage>
  )
}
