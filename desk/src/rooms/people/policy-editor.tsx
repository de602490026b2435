import { Actions, Button } from '@integrity/shared-ui/web/button'
import { focusField, LineField, WordsField } from '@integrity/shared-ui/web/fields'
import { Section } from '@integrity/shared-ui/web/section'
import { Notice, Page } from '@integrity/shared-ui/web/shell'
import type { FormEvent } from 'react'
import { useDesk } from '../../parts/desk-context.ts'
import { Link } from '../../parts/link.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Outcome } from '../../parts/outcome.tsx'
import { useEndpoint } from '../../parts/use-endpoint.ts'
import { DraftPreview } from './consent-preview.tsx'
import { peopleAt } from './people.ts'
import { useLanguage } from './people-language.tsx'
import type { Policy } from './policy-config.ts'
import { PolicyFields, saidPaths } from './policy-fields.tsx'
import { Differences } from './policy-versions.tsx'
import { usePolicyEditing } from './use-policy-editing.ts'

type Editing = ReturnType<typeof usePolicyEditing>

/** That somebody else wrote a version meanwhile, what of it differs from what is here, and the way on. */
const Overtaken = ({ policy, editing }: { readonly policy: Policy; readonly editing: Editing }) => {
  const { t } = useLanguage()
  const latest = policy.versions[0]
  const version = t('peopleVersion', { n: policy.version })
  return (
    <div role="alert">
      <Notice kind="attention">
        <p>{t('peopleOvertaken', { who: latest?.createdBy.label ?? '', version })}</p>
        <Differences before={policy.config} after={editing.config} titles={[version, t('peopleYours')]} />
        <Actions>
          <Button onClick={editing.goOn}>{t('peopleGoOn', { version })}</Button>
        </Actions>
      </Notice>
    </div>
  )
}

const PolicyForm = ({ policy }: { readonly policy: Policy | undefined }) => {
  const { t } = useLanguage()
  const editing = usePolicyEditing(policy)
  const { draft, acting, missing, save, overtaken } = editing
  const { words, change } = draft
  const { at } = acting
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!save()) focusField(event.currentTarget, 'name')
  }
  return (
    <div className="people-editor">
      <form noValidate onSubmit={submit}>
        <LineField
          name="name"
          label={t('peoplePolicyName')}
          value={words['name'] ?? ''}
          onChange={(name) => change({ name })}
          error={missing ? t('peoplePolicyNameMissing') : at('name')}
          maxLength={100}
        />
        <WordsField
          name="description"
          label={t('peoplePolicyFor')}
          value={words['description'] ?? ''}
          onChange={(description) => change({ description })}
          error={at('description')}
          optional
          maxLength={2000}
        />
        <PolicyFields words={words} onChange={change} at={at} />
        {policy && overtaken ? (
          <Overtaken policy={policy} editing={editing} />
        ) : (
          <Outcome of={acting} fields={saidPaths} />
        )}
        <Actions>
          <Button type="submit" kind="main" busy={acting.busy}>
            {t(acting.busy ? 'sending' : policy ? 'peopleSaveVersion' : 'peopleSavePolicy')}
          </Button>
        </Actions>
      </form>
      <Section title={t('peopleConsentTitle')}>
        <p>{t('peopleConsentText')}</p>
        <DraftPreview words={words} />
      </Section>
    </div>
  )
}

/** A policy that there is not yet. */
export const NewPolicyPage = () => {
  const { t } = useLanguage()
  const { org } = useDesk()
  return (
    <Page title={t('peopleNewPolicy')} wide>
      <PolicyForm policy={undefined} />
      <p>
        <Link to={peopleAt(org, 'policies')}>{t('peopleAllPolicies')}</Link>
      </p>
    </Page>
  )
}

/** The next version of a policy. Interviews keep what they were made with. */
export const EditPolicyPage = ({ id }: { readonly id: string }) => {
  const { t } = useLanguage()
  const { org } = useDesk()
  const policy = useEndpoint('portal.policies.get', { params: { orgId: org.id, policyId: id } })
  return (
    <Page title={t('peopleEditPolicy')} wide>
      <p>{t('peopleEditText')}</p>
      <Loaded question={policy}>
        {(found) =>
          found.state === 'archived' ? <Notice>{t('peopleIsArchived')}</Notice> : <PolicyForm policy={found} />
        }
      </Loaded>
      <p>
        <Link to={peopleAt(org, 'policies', id)}>{t('peopleBackToPolicy')}</Link>
      </p>
    </Page>
  )
}
