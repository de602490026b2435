import { Actions, Button } from '@integrity/shared-ui/web/button'
import { ConfirmButton } from '@integrity/shared-ui/web/confirm-button'
import { useState } from 'react'
import { useDesk } from '../../../parts/desk-context.ts'
import { useLanguage } from '../../../parts/language.ts'
import { Outcome } from '../../../parts/outcome.tsx'
import { useAttempt } from '../../../parts/use-attempt.ts'
import { useEndpoint } from '../../../parts/use-endpoint.ts'
import type { Chat } from './chat-words.ts'

interface Props {
  readonly chat: Chat
  /** What the service says is left to do. */
  readonly onGone: (note: string) => void
}

/** Pausing a chat app, and its end. */
export const AppActions = ({ chat: { id, status }, onGone }: Props) => {
  const { t } = useLanguage()
  const { own, org } = useDesk()
  const attempt = useAttempt('portal.chat.list')
  const [said, setSaid] = useState('')
  const params = { orgId: org.id, integrationId: id }
  const query = { status: 'pending', limit: 1 } as const
  const { state } = useEndpoint('portal.chat.deliveries', { params, query })
  const waiting = state.name === 'there' ? state.data.total : 0
  const pause = () =>
    attempt.attempt(async () => {
      const next = status === 'paused' ? 'connected' : 'paused'
      await own.call('portal.chat.update', { params, body: { status: next } })
      setSaid(t(next === 'paused' ? 'connectionsPaused' : 'connectionsResumed'))
    })
  const remove = () => attempt.attempt(async () => onGone((await own.call('portal.chat.remove', { params })).data.note))
  return (
    <>
      <Outcome of={attempt} done={said} />
      <Actions>
        {status === 'broken' ? null : (
          <Button busy={attempt.busy} onClick={pause}>
            {t(status === 'paused' ? 'connectionsResume' : 'connectionsPause')}
          </Button>
        )}
        <ConfirmButton
          label={t('connectionsDisconnect')}
          title={t('connectionsDisconnectTitle')}
          confirm={t('connectionsDisconnect')}
          confirmKind="stop"
          cancel={t('connectionsCancel')}
          busy={attempt.busy}
          onConfirm={remove}
        >
          {t('connectionsDisconnectText', { waiting })}
        </ConfirmButton>
      </Actions>
    </>
  )
}
