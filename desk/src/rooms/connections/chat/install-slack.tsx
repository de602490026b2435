import { Actions, Button } from '@integrity/shared-ui/web/button'
import { useDesk } from '../../../parts/desk-context.ts'
import { useLanguage } from '../../../parts/language.ts'
import { Outcome } from '../../../parts/outcome.tsx'
import { useAttempt } from '../../../parts/use-attempt.ts'

/** Goes on at Slack, which sends the browser back when it is done. */
export const InstallSlack = () => {
  const { t } = useLanguage()
  const { own, org } = useDesk()
  const attempt = useAttempt('portal.chat.list')
  const install = () =>
    attempt.attempt(async () => {
      const input = { params: { orgId: org.id }, body: { provider: 'slack' as const } }
      const { url } = (await own.call('portal.chat.install', input)).data
      if (url !== null) location.assign(url)
    })
  return (
    <>
      <p>{t('connectionsSlackText')}</p>
      <Outcome of={attempt} />
      <Actions>
        <Button busy={attempt.busy} onClick={install}>
          {t('connectionsSlackInstall')}
        </Button>
      </Actions>
    </>
  )
}
