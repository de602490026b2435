import { Actions, Button } from '@integrity/shared-ui/web/button'
import { AlertNotice } from '@integrity/shared-ui/web/read-out'
import { Notice, Page } from '@integrity/shared-ui/web/shell'
import { useLanguage } from '../components/language.ts'
import type { RoomActions, StateNamed } from '../session/room.states.ts'
import { LostPictures, MessagePage } from './message-page.tsx'

interface Props<Name extends 'releasing' | 'declined'> {
  readonly state: StateNamed<Name>
  readonly room: RoomActions
}

/** The camera is off; the last pictures are on their way. */
export const ReleasingPage = ({ state, room }: Props<'releasing'>) => {
  const { t } = useLanguage()
  const { progress, reached } = state.sending
  return (
    <MessagePage title="releasingTitle" text="releasingText" sign="wait">
      <p>{t('releasingWaiting', { n: progress.waiting })}</p>
      <div role="status">{reached ? null : <Notice kind="attention">{t('releasingOffline')}</Notice>}</div>
      {!reached && progress.waiting > 0 ? (
        <Actions>
          <Button onClick={() => room.abandon()}>{t('releasingAbandon')}</Button>
        </Actions>
      ) : null}
    </MessagePage>
  )
}

export const DonePage = ({ sent, lost }: { readonly sent: number; readonly lost: number }) => {
  const { t } = useLanguage()
  return (
    <MessagePage title="doneTitle" text="doneText" sign="done">
      <p>{t('doneSent', { n: sent })}</p>
      <LostPictures lost={lost} />
    </MessagePage>
  )
}

export const DeclinedPage = ({ state, room }: Props<'declined'>) => {
  const { t } = useLanguage()
  return (
    <Page title={t('declinedTitle')} sign="off">
      <p>{t('declinedText', { org: state.facts.org.name })}</p>
      <AlertNotice>{state.problem ? t('unreachableText') : null}</AlertNotice>
      <Actions>
        <Button onClick={() => room.reconsider()}>{t('declinedAgain')}</Button>
      </Actions>
    </Page>
  )
}
