import { Actions, Button } from '@integrity/shared-ui/web/button'
import { ConfirmButton } from '@integrity/shared-ui/web/confirm-button'
import { Section } from '@integrity/shared-ui/web/section'
import { useState } from 'react'
import { useDesk } from '../../parts/desk-context.ts'
import { useLanguage } from '../../parts/language.ts'
import { Outcome } from '../../parts/outcome.tsx'
import { useAttempt } from '../../parts/use-attempt.ts'
import { RotateSecret } from './rotate-secret.tsx'
import { ShownSecret } from './shown-secret.tsx'
import type { Webhook } from './webhook-health.tsx'

const useActs = ({ id, url }: Webhook) => {
  const { own, org, navigation } = useDesk()
  const [secret, setSecret] = useState<string>()
  const [done, setDone] = useState<string>()
  const form = useAttempt('portal.webhooks.list', 'portal.webhooks.deliveries.list')
  const params = { orgId: org.id, endpointId: id }
  const { t } = useLanguage()
  const doing = (act: () => Promise<string | undefined>) => () =>
    form.attempt(async () => {
      setDone(undefined)
      setDone(await act())
    })
  return {
    form,
    secret,
    done,
    putAway: () => setSecret(undefined),
    test: doing(async () => {
      await own.call('portal.webhooks.test', { params })
      return t('developersTestSent', { url })
    }),
    switchTo: (status: Webhook['status']) =>
      doing(async () => {
        await own.call('portal.webhooks.patch', { params, body: { status } })
        return t(status === 'enabled' ? 'developersSwitchedOn' : 'developersSwitchedOff')
      }),
    rotate: (overlapHours: number) =>
      doing(async () => {
        const { data } = await own.call('portal.webhooks.rotateSecret', { params, body: { overlapHours } })
        setSecret(data.secret)
        return undefined
      })(),
    remove: doing(async () => {
      await own.call('portal.webhooks.delete', { params })
      navigation.go({ room: 'developers', org: org.slug, section: 'webhooks', query: {} })
      return undefined
    }),
  }
}

const OffButton = ({ busy, onOff }: { readonly busy: boolean; readonly onOff: () => void }) => {
  const { t } = useLanguage()
  return (
    <ConfirmButton
      label={t('developersOff')}
      title={t('developersOffTitle')}
      confirm={t('developersOff')}
      confirmKind="stop"
      cancel={t('developersCancel')}
      busy={busy}
      onConfirm={onOff}
    >
      <p>{t('developersOffText')}</p>
    </ConfirmButton>
  )
}

/** What can be done to an endpoint; what stops something asks first. */
export const WebhookActs = ({ item }: { readonly item: Webhook }) => {
  const { t } = useLanguage()
  const { form, secret, done, putAway, test, switchTo, rotate, remove } = useActs(item)
  const asked = { busy: form.busy, cancel: t('developersCancel'), confirmKind: 'stop' } as const
  const isOn = item.status === 'enabled'
  return (
    <Section title={t('developersWebhookActs')}>
      {secret === undefined ? null : (
        <ShownSecret
          label={t('developersSecretShown', { of: item.url })}
          text={t('developersSecretShownText')}
          secret={secret}
          onDone={putAway}
        />
      )}
      <p role="status">{done}</p>
      <Outcome of={form} />
      <Actions>
        {isOn ? (
          <>
            <Button busy={form.busy} onClick={test}>
              {t('developersTest')}
            </Button>
            <OffButton busy={form.busy} onOff={switchTo('disabled')} />
          </>
        ) : (
          <Button kind="main" busy={form.busy} onClick={switchTo('enabled')}>
            {t('developersOn')}
          </Button>
        )}
        <RotateSecret busy={form.busy} onRotate={rotate} />
        <ConfirmButton
          kind="stop"
          label={t('developersWebhookDelete')}
          title={t('developersWebhookDeleteTitle', { of: item.url })}
          confirm={t('developersWebhookDeleteYes')}
          {...asked}
          onConfirm={remove}
        >
          <p>{t('developersWebhookDeleteText')}</p>
        </ConfirmButton>
      </Actions>
    </Section>
  )
}
