import type { ReactNode } from 'react'
import type { LinkText } from '../words/link.ts'
import { Actions, Button } from './button.tsx'
import { useLinkLanguage } from './link-language.ts'
import { MessagePage as SharedMessagePage } from './shell.tsx'

const MessagePage = SharedMessagePage<LinkText>

interface Props {
  readonly why: 'opening' | 'offline' | 'trouble'
  readonly onTryNow: () => void
}

/** Before anything could be read. */
export const WaitingPage = ({ why, onTryNow }: Props): ReactNode => {
  const { t } = useLinkLanguage()
  if (why === 'opening') return <MessagePage title="openingTitle" text="openingText" sign="wait" />
  return (
    <MessagePage title={`${why}Title`} text={`${why}Text`} sign="trouble">
      <Actions>
        <Button kind="main" onClick={onTryNow}>
          {t('tryNow')}
        </Button>
      </Actions>
    </MessagePage>
  )
}
