import { Actions } from '@integrity/shared-ui/web/button'
import { ConfirmButton } from '@integrity/shared-ui/web/confirm-button'
import { Section } from '@integrity/shared-ui/web/section'
import { useDesk, useMay } from '../../../parts/desk-context.ts'
import { useLanguage } from '../../../parts/language.ts'
import { Outcome } from '../../../parts/outcome.tsx'
import { useAttempt } from '../../../parts/use-attempt.ts'
import { Concerned } from './concerned.tsx'
import type { Sso } from './sso-words.ts'

interface Props {
  readonly sso: Sso
}

/** The ways to require single sign-on, and to require it no longer. */
const Switch = ({ sso }: Props) => {
  const { t } = useLanguage()
  const { own, org } = useDesk()
  const attempt = useAttempt('portal.sso.get', 'portal.orgs.get')
  const set = (required: boolean) =>
    attempt.attempt(() => own.call('portal.sso.enforcement', { params: { orgId: org.id }, body: { required } }))
  const predicted = sso.test?.checks.find(({ name }) => name === 'password_sign_ins')?.message
  return (
    <>
      <Outcome of={attempt} done={t(sso.required ? 'connectionsRequiredNow' : 'connectionsOptionalNow')} />
      <Actions>
        <ConfirmButton
          label={t(sso.required ? 'connectionsOptional' : 'connectionsRequire')}
          title={t(sso.required ? 'connectionsOptionalTitle' : 'connectionsRequireTitle')}
          confirm={t(sso.required ? 'connectionsOptional' : 'connectionsRequire')}
          confirmKind={sso.required ? 'main' : 'stop'}
          cancel={t('connectionsCancel')}
          busy={attempt.busy}
          onConfirm={() => set(!sso.required)}
        >
          <p>{t(sso.required ? 'connectionsOptionalText' : 'connectionsRequireText')}</p>
          {sso.required || predicted === undefined ? null : <p>{predicted}</p>}
        </ConfirmButton>
      </Actions>
    </>
  )
}

/** Whether members need single sign-on, and who that is about before it is set. */
export const EnforcementSection = ({ sso }: Props) => {
  const { t } = useLanguage()
  const seesMembers = useMay('member.manage')
  const verified = sso.domains.filter((domain) => domain.verified)
  return (
    <Section title={t('connectionsEnforcement')}>
      <p>{t(sso.required ? 'connectionsIsRequired' : 'connectionsIsOptional')}</p>
      {verified.length === 0 ? <p>{t('connectionsNoVerified')}</p> : null}
      {seesMembers && verified.length > 0 ? <Concerned sso={sso} /> : null}
      <Switch sso={sso} />
    </Section>
  )
}
