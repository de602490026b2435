import { Actions, Button } from '@integrity/shared-ui/web/button'
import { ConfirmButton } from '@integrity/shared-ui/web/confirm-button'
import { Section } from '@integrity/shared-ui/web/section'
import { Notice, Page } from '@integrity/shared-ui/web/shell'
import type { ListQuery } from '../../data/route.ts'
import { useDesk, useMay } from '../../parts/desk-context.ts'
import { Link } from '../../parts/link.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Outcome } from '../../parts/outcome.tsx'
import { useAttempt } from '../../parts/use-attempt.ts'
import { useEndpoint } from '../../parts/use-endpoint.ts'
import { PolicyPreview } from './consent-preview.tsx'
import { peopleAt } from './people.ts'
import { useLanguage } from './people-language.tsx'
import type { Policy } from './policy-config.ts'
import { PolicyInterviews, useUses } from './policy-interviews.tsx'
import { PolicyVersions } from './policy-versions.tsx'

/** What can be done with a policy as a whole. */
const PolicyActs = ({ policy }: { readonly policy: Policy }) => {
  const { t } = useLanguage()
  const { org, own, navigation } = useDesk()
  const acting = useAttempt('portal.policies.list', 'portal.policies.get')
  const scheduled = useUses(policy.id).filter(({ state }) => state === 'scheduled').length
  const params = { orgId: org.id, policyId: policy.id }
  const duplicate = async () => {
    const { id } = (await own.call('portal.policies.duplicate', { params, body: {} })).data
    navigation.go(peopleAt(org, 'policies', id))
    return undefined
  }
  const archive = async () => {
    await own.call('portal.policies.archive', { params, body: {} })
    return t('peopleArchived')
  }
  return (
    <>
      <Outcome of={acting} />
      <Actions>
        <Button busy={acting.busy} onClick={() => acting.attempt(duplicate)}>
          {t('peopleDuplicate')}
        </Button>
        {policy.state === 'active' ? (
          <ConfirmButton
            label={t('peopleArchive')}
            kind="stop"
            title={t('peopleArchive')}
            confirm={t('peopleArchive')}
            confirmKind="stop"
            cancel={t('cancel')}
            busy={acting.busy}
            onConfirm={() => acting.attempt(archive)}
          >
            <p>{t('peopleArchiveText', { n: scheduled })}</p>
          </ConfirmButton>
        ) : null}
      </Actions>
    </>
  )
}

interface Props {
  readonly id: string
  readonly query: ListQuery
}

/** One policy: what its candidates read, its versions, and the interviews that use it. */
export const PolicyPage = ({ id, query }: Props) => {
  const { t } = useLanguage()
  const { org } = useDesk()
  const mayWrite = useMay('policy.manage')
  const policy = useEndpoint('portal.policies.get', { params: { orgId: org.id, policyId: id } })
  return (
    <Page title={t('peoplePolicyTitle')} wide>
      <Loaded question={policy}>
        {(found) => (
          <>
            <p className="lead">
              {found.name} · {t('peopleVersion', { n: found.version })}
            </p>
            {found.description === null ? null : <p>{found.description}</p>}
            {found.state === 'archived' ? <Notice>{t('peopleIsArchived')}</Notice> : null}
            {mayWrite && found.state === 'active' ? (
              <p>
                <Link to={peopleAt(org, 'policies', id, { edit: 'yes' })}>{t('peopleEditPolicy')}</Link>
              </p>
            ) : null}
            {mayWrite ? <PolicyActs policy={found} /> : null}
            <Section title={t('peopleConsentTitle')}>
              <PolicyPreview policyId={id} />
            </Section>
            <Section title={t('peopleVersions')}>
              <PolicyVersions policy={found} query={query} />
            </Section>
            <Section title={t('peopleUses')}>
              <PolicyInterviews policyId={id} query={query} />
            </Section>
          </>
        )}
      </Loaded>
      <p>
        <Link to={peopleAt(org, 'policies')}>{t('peopleAllPolicies')}</Link>
      </p>
    </Page>
  )
}
