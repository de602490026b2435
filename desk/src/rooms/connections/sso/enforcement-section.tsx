import { Actions } from '@integrity/shared-ui/web/button'
import { ConfirmButton } from '@integrity/shared-ui/web/confirm-button'
import { Section } from '@integrity/shared-ui/web/section'
import { useDesk, useMay } from '../../../parts/desk-context.ts'
import { useLanguage } from '../../../parts/language.ts'
import { Loaded } from '../../../parts/loaded.tsx'
import { Outcome } from '../../../parts/outcome.tsx'
import { useAttempt } from '../../../parts/use-attempt.ts'
import { useEndpoint } from '../../../parts/use-endpoint.ts'
import type { Sso } from './sso-words.ts'
import { withoutPassword } from './without-password.ts'

interface Props {
  readonly sso: Sso
}

/** Whose passwords stop working here, by name. */
const Concerned = ({ sso: { domains } }: Props) => {
  const { t } = useLanguage()
  const { org } = useDesk()
  const query = { active: 'true', limit: 100 } as const
  const members = useEndpoint('portal.members.list', { params: { orgId: org.id }, query })
  return (
    <Loaded question={members}>
      {({ items, total }) => {
        const concerned = withoutPassword(items, domains)
        return (
          <>
            <p>{t('connectionsConcerned', { count: concerned.length, members: Math.min(total, items.length) })}</p>
            <ul>
              {concerned.map(({ id, name, email }) => (
                <li key={id}>{name === null ? email : `${name}, ${email}`}</li>
              ))}
            </ul>
            {total > items.length ? <p>{t('connectionsConcernedMore', { total, shown: items.length })}</p> : null}
          </>
        )
      }}
    </Loaded>
  )
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
