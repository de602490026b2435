import { Actions, Button } from '@integrity/shared-ui/web/button'
import { ConfirmButton } from '@integrity/shared-ui/web/confirm-button'
import { useState } from 'react'
import { useDesk } from '../../../parts/desk-context.ts'
import { useLanguage } from '../../../parts/language.ts'
import { Outcome } from '../../../parts/outcome.tsx'
import { useAttempt } from '../../../parts/use-attempt.ts'
import { useEndpoint } from '../../../parts/use-endpoint.ts'
import type { Ats } from './ats-words.ts'
import { InboundSecret } from './inbound-secret.tsx'

interface Props {
  readonly ats: Ats
  readonly onGone: () => void
}

interface Secret {
  readonly inboundUrl: string
  readonly inboundSecret: string
}

const useActions = ({ ats, onGone }: Props) => {
  const { own, org } = useDesk()
  const attempt = useAttempt('portal.ats.list', 'portal.ats.sync')
  const [said, setSaid] = useState('')
  const [secret, setSecret] = useState<Secret>()
  const params = { orgId: org.id, configId: ats.id }
  const { t } = useLanguage()
  const test = () =>
    attempt.attempt(async () => {
      const { ok, problem } = (await own.call('portal.ats.test', { params })).data
      setSaid(ok ? t('connectionsTried') : t('connectionsProblem', { words: problem ?? '' }))
    })
  const pause = () =>
    attempt.attempt(async () => {
      const status = ats.status === 'paused' ? 'connected' : 'paused'
      await own.call('portal.ats.update', { params, body: { status } })
      setSaid(t(status === 'paused' ? 'connectionsPaused' : 'connectionsResumed'))
    })
  const rotate = () =>
    attempt.attempt(async () => {
      setSecret((await own.call('portal.ats.rotateSecret', { params })).data)
      setSaid('')
    })
  const remove = () =>
    attempt.attempt(async () => {
      await own.call('portal.ats.remove', { params })
      onGone()
    })
  return { attempt, said, secret, test, pause, rotate, remove, seen: () => setSecret(undefined) }
}

/** Trying a system, pausing it, a new secret of its webhook, and the end of the connection. */
export const SystemActions = (props: Props) => {
  const { t } = useLanguage()
  const { org } = useDesk()
  const { attempt, said, secret, test, pause, rotate, remove, seen } = useActions(props)
  const { id, status } = props.ats
  const query = { status: 'pending', limit: 1 } as const
  const { state } = useEndpoint('portal.ats.sync', { params: { orgId: org.id, configId: id }, query })
  const waiting = state.name === 'there' ? state.data.total : 0
  const ask = { cancel: t('connectionsCancel'), busy: attempt.busy }
  return (
    <>
      {secret ? <InboundSecret of={secret} problem={null} onSeen={seen} /> : null}
      <Outcome of={attempt} done={said} />
      <Actions>
        <Button busy={attempt.busy} onClick={test}>
          {t('connectionsTest')}
        </Button>
        {status === 'broken' ? null : (
          <Button busy={attempt.busy} onClick={pause}>
            {t(status === 'paused' ? 'connectionsResume' : 'connectionsPause')}
          </Button>
        )}
        <ConfirmButton
          {...ask}
          label={t('connectionsRotate')}
          title={t('connectionsRotateTitle')}
          confirm={t('connectionsRotate')}
          confirmKind="stop"
          onConfirm={rotate}
        >
          {t('connectionsRotateText')}
        </ConfirmButton>
        <ConfirmButton
          {...ask}
          label={t('connectionsDisconnect')}
          title={t('connectionsDisconnectTitle')}
          confirm={t('connectionsDisconnect')}
          confirmKind="stop"
          onConfirm={remove}
        >
          {t('connectionsDisconnectText', { waiting })}
        </ConfirmButton>
      </Actions>
    </>
  )
}
