import { Actions, Button } from '@integrity/shared-ui/web/button'
import { Section } from '@integrity/shared-ui/web/section'
import type { FormEvent } from 'react'
import type { ReadResult } from '../../data/desk-api.ts'
import { useDesk } from '../../parts/desk-context.ts'
import { useLanguage } from '../../parts/language.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Outcome } from '../../parts/outcome.tsx'
import { TheirValues } from '../../parts/their-values.tsx'
import { useAttempt } from '../../parts/use-attempt.ts'
import { useEndpoint } from '../../parts/use-endpoint.ts'
import { useSettingsDraft } from '../../parts/use-settings-draft.ts'
import { useTheirs } from '../../parts/use-theirs.ts'

type Settings = ReadResult<'portal.orgs.get'>['review']
interface Words {
  readonly [name: string]: string
  readonly baseRates: string
  readonly seen: string
}

const wordsOf = ({ baseRates, version }: Settings): Words => ({ baseRates: String(baseRates), seen: String(version) })

const SettingsForm = ({ settings }: { readonly settings: Settings }) => {
  const { t } = useLanguage()
  const { own, org } = useDesk()
  const params = { orgId: org.id }
  const draft = useSettingsDraft<Words>(`review settings ${org.id}`, wordsOf(settings))
  const saving = useAttempt('portal.orgs.get', 'portal.coverage')
  const theirs = useTheirs(draft, wordsOf(settings), 'seen')
  const { words } = draft
  const set = async () => {
    const body = { baseRates: words.baseRates === 'true', expectedVersion: Number(words.seen) }
    const { data } = await own.call('portal.orgs.review.set', { params, body })
    draft.settle(wordsOf(data))
    theirs.settle(wordsOf(data))
  }
  const latest = async () => wordsOf((await own.call('portal.orgs.get', { params })).data.review)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    saving.attempt(() => theirs.guard(set, latest))
  }
  const show = (value: string) => t(value === 'true' ? 'theirsOn' : 'theirsOff')
  const fields = [{ name: 'baseRates', label: t('statementBaseRates'), show }]
  return (
    <form noValidate onSubmit={submit}>
      <label className="check">
        <input
          type="checkbox"
          name="baseRates"
          checked={words.baseRates === 'true'}
          onChange={({ target }) => draft.change({ baseRates: String(target.checked) })}
        />
        {t('statementBaseRates')}
      </label>
      <TheirValues met={theirs.met} words={words} fields={fields} onChange={draft.change} />
      <Outcome of={saving} done={t('statementReviewSaved')} />
      <Actions>
        <Button type="submit" busy={saving.busy}>
          {t('statementReviewSave')}
        </Button>
      </Actions>
    </form>
  )
}

/** What reviewers see beside what rules found, in every interview of the organisation. */
export const ReviewSettings = () => {
  const { t } = useLanguage()
  const { org } = useDesk()
  const detail = useEndpoint('portal.orgs.get', { params: { orgId: org.id } })
  return (
    <Section title={t('statementReview')}>
      <p>{t('statementReviewText')}</p>
      <Loaded question={detail}>{({ review }) => <SettingsForm settings={review} />}</Loaded>
    </Section>
  )
}
