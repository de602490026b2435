import { Actions, Button } from '@integrity/shared-ui/web/button'
import { focusField, LineField, WordsField } from '@integrity/shared-ui/web/fields'
import { Section } from '@integrity/shared-ui/web/section'
import { Notice, Page } from '@integrity/shared-ui/web/shell'
import type { FormEvent } from 'react'
import { useDesk } from '../../parts/desk-context.ts'
import { Link } from '../../parts/link.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Outcome } from '../../parts/outcome.tsx'
import { TheirValues } from '../../parts/their-values.tsx'
import { useEndpoint } from '../../parts/use-endpoint.ts'
import { DraftPreview } from './consent-preview.tsx'
import { peopleAt } from './people.ts'
import { useLanguage } from './people-language.tsx'
import { type Policy, settingPaths } from './policy-config.ts'
import { PolicyFields, saidPaths } from './policy-fields.tsx'
import { useSettingNames, useSettingWords } from './policy-versions.tsx'
import { usePolicyEditing } from './use-policy-editing.ts'

const PolicyForm = ({ policy }: { readonly policy: Policy | undefined }) => {
  const { t } = useLanguage()
  const { draft, acting, missing, save, met } = usePolicyEditing(policy)
  const { words, change } = draft
  const { at } = acting
  const [nameOf, wordsOf] = [useSettingNames(), useSettingWords()]
  const named = [
    { name: 'name', label: t('peoplePolicyName') },
    { name: 'description', label: t('peoplePolicyFor') },
    ...settingPaths.map((path) => ({ name: path, label: nameOf(path), show: wordsOf })),
  ]
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
        <TheirValues met={met} words={words} fields={named} onChange={change} />
        <Outcome of={acting} fields={saidPaths} />
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
