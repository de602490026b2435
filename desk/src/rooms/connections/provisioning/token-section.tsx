import { Actions } from '@integrity/shared-ui/web/button'
import { ConfirmButton } from '@integrity/shared-ui/web/confirm-button'
import { Fact, Facts } from '@integrity/shared-ui/web/facts'
import { Section } from '@integrity/shared-ui/web/section'
import { useLocale } from '@integrity/shared-ui/web/spoken'
import { useState } from 'react'
import { useDesk, useMay } from '../../../parts/desk-context.ts'
import { useLanguage } from '../../../parts/language.ts'
import { Loaded } from '../../../parts/loaded.tsx'
import { Outcome } from '../../../parts/outcome.tsx'
import { shortTime } from '../../../parts/spans.ts'
import { useAttempt } from '../../../parts/use-attempt.ts'
import { useEndpoint } from '../../../parts/use-endpoint.ts'
import { Copied, ShownOnce } from '../parts/shown-once.tsx'
import { useTrail } from './use-trail.ts'

/** Whether there is a token, by what the audit trail says was done last. */
const Standing = () => {
  const { t } = useLanguage()
  const locale = useLocale()
  const trail = useTrail(['scim.token_issued', 'scim.token_revoked'])
  return (
    <Loaded question={trail}>
      {([latest]) => {
        if (!latest) return <p>{t('connectionsNoToken')}</p>
        const values = { at: shortTime(latest.at, locale), who: latest.actor.label ?? latest.actor.id }
        return (
          <p>{t(latest.action === 'scim.token_issued' ? 'connectionsTokenSince' : 'connectionsTokenEnded', values)}</p>
        )
      }}
    </Loaded>
  )
}

/** The same for whoever may not read the audit trail: without who did it. */
const Since = () => {
  const { t } = useLanguage()
  const locale = useLocale()
  const { org } = useDesk()
  const sso = useEndpoint('portal.sso.get', { params: { orgId: org.id } })
  return (
    <Loaded question={sso}>
      {({ provisioning }) => (
        <p>
          {provisioning
            ? t('connectionsTokenWorks', { at: shortTime(provisioning.tokenSince, locale) })
            : t('connectionsNoTokenNow')}
        </p>
      )}
    </Loaded>
  )
}

const useToken = () => {
  const { own, org } = useDesk()
  const attempt = useAttempt('portal.auditLogs.list', 'portal.sso.get')
  const [made, setMade] = useState<string>()
  const params = { orgId: org.id }
  const issue = () =>
    attempt.attempt(async () => setMade((await own.call('portal.scim.issueToken', { params })).data.token))
  const revoke = () =>
    attempt.attempt(async () => {
      await own.call('portal.scim.revokeToken', { params })
      setMade(undefined)
    })
  return { attempt, made, issue, revoke, seen: () => setMade(undefined) }
}

/** The token of the identity provider: made, shown this once, and taken back. */
export const TokenSection = () => {
  const { t } = useLanguage()
  const { accountPage, org } = useDesk()
  const seesTrail = useMay('audit.view')
  const { attempt, made, issue, revoke, seen } = useToken()
  const address = new URL('../scim/v2', accountPage).href
  const ask = { title: t('connectionsTokenTitle'), confirm: t('connectionsToken'), cancel: t('connectionsCancel') }
  return (
    <Section title={t('connectionsTokenSection')}>
      <Facts>
        <Fact name={t('connectionsScimAddress')}>
          <Copied name={t('connectionsScimAddress')} value={address} />
        </Fact>
      </Facts>
      {seesTrail ? <Standing key={org.id} /> : <Since />}
      {made === undefined ? null : <ShownOnce name={t('connectionsTokenName')} value={made} onSeen={seen} />}
      <Outcome of={attempt} />
      <Actions>
        <ConfirmButton {...ask} label={t('connectionsToken')} kind="main" busy={attempt.busy} onConfirm={issue}>
          {t('connectionsTokenText')}
        </ConfirmButton>
        <ConfirmButton
          {...ask}
          label={t('connectionsTokenEnd')}
          title={t('connectionsTokenEndTitle')}
          confirm={t('connectionsTokenEnd')}
          confirmKind="stop"
          busy={attempt.busy}
          onConfirm={revoke}
        >
          {t('connectionsTokenEndText')}
        </ConfirmButton>
      </Actions>
    </Section>
  )
}
