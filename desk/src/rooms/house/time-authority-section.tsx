import type { EndpointMap, ResultOf } from '@integrity/protocol'
import { useDraft } from '@integrity/shared-ui/hooks/use-draft'
import { Actions, Button } from '@integrity/shared-ui/web/button'
import { Fact, Facts } from '@integrity/shared-ui/web/facts'
import { ExactField, WordsField } from '@integrity/shared-ui/web/fields'
import { Section } from '@integrity/shared-ui/web/section'
import { useLocale } from '@integrity/shared-ui/web/spoken'
import type { FormEvent } from 'react'
import { useDesk, useMay } from '../../parts/desk-context.ts'
import { useLanguage } from '../../parts/language.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Outcome } from '../../parts/outcome.tsx'
import { shortTime } from '../../parts/spans.ts'
import { TheirValues } from '../../parts/their-values.tsx'
import { useAttempt } from '../../parts/use-attempt.ts'
import { useEndpoint } from '../../parts/use-endpoint.ts'
import { useTheirs } from '../../parts/use-theirs.ts'

type Timestamping = ResultOf<EndpointMap['portal.timestamps.get']>

const Stamped = ({ settings: { authority, stamped, problem } }: { readonly settings: Timestamping }) => {
  const { t } = useLanguage()
  const locale = useLocale()
  return (
    <Facts>
      <Fact name={t('houseTimeAuthority')}>{authority?.url ?? t('houseTimeNobody')}</Fact>
      <Fact name={t('houseTimeStamped')}>
        {stamped
          ? t('houseTimeOne', { rows: stamped.rows, at: shortTime(stamped.at, locale), authority: stamped.authority })
          : t('houseWitnessNever')}
      </Fact>
      {problem ? <Fact name={t('houseTimeProblem')}>{problem}</Fact> : null}
    </Facts>
  )
}

const wordsOf = ({ authority }: Timestamping) => ({
  url: authority?.url ?? '',
  policy: authority?.policy ?? '',
  certificates: authority?.certificates ?? '',
})

const bodyOf = ({ url, policy, certificates }: ReturnType<typeof wordsOf>) => ({
  authority:
    url.trim() === ''
      ? null
      : { url: url.trim(), policy: policy.trim() || null, certificates: certificates.trim() || null },
})

/** `base`: the version of the settings that the writer has seen. */
const seenWordsOf = (settings: Timestamping) => ({ ...wordsOf(settings), base: String(settings.version) })

const useAuthorityForm = (settings: Timestamping) => {
  const { own, org, person, pageMemory } = useDesk()
  const empty = seenWordsOf(settings)
  const draft = useDraft(`time authority ${person.user.id} ${org.id}`, empty, pageMemory)
  const attempt = useAttempt('portal.timestamps.get')
  const theirs = useTheirs(draft, empty, 'base')
  const params = { orgId: org.id }
  const save = () =>
    attempt.attempt(() => {
      const set = async () => {
        const body = { ...bodyOf(draft.words), expectedVersion: Number(draft.words.base) }
        const { data } = await own.call('portal.timestamps.set', { params, body, timeoutMs: 30_000 })
        draft.clear()
        draft.change(seenWordsOf(data))
        theirs.settle(seenWordsOf(data))
      }
      return theirs.guard(set, async () => seenWordsOf((await own.call('portal.timestamps.get', { params })).data))
    })
  return { words: draft.words, change: draft.change, attempt, met: theirs.met, save }
}

const AuthorityForm = ({ settings }: { readonly settings: Timestamping }) => {
  const { t } = useLanguage()
  const { words, change, attempt, met, save } = useAuthorityForm(settings)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    save()
  }
  const named = [
    { name: 'url', label: t('houseTimeUrl') },
    { name: 'policy', label: t('houseTimePolicy') },
    { name: 'certificates', label: t('houseTimeCertificates') },
  ]
  return (
    <form onSubmit={submit} noValidate>
      <ExactField
        name="time-url"
        label={t('houseTimeUrl')}
        value={words.url}
        onChange={(url) => change({ url })}
        error={attempt.at('authority.url')}
        help={t('houseTimeUrlHelp')}
        optional
        maxLength={2000}
      />
      <ExactField
        name="time-policy"
        label={t('houseTimePolicy')}
        value={words.policy}
        onChange={(policy) => change({ policy })}
        error={attempt.at('authority.policy')}
        help={t('houseTimePolicyHelp')}
        optional
        maxLength={200}
      />
      <WordsField
        name="time-certificates"
        label={t('houseTimeCertificates')}
        value={words.certificates}
        onChange={(certificates) => change({ certificates })}
        error={attempt.at('authority.certificates')}
        help={t('houseTimeCertificatesHelp')}
        optional
        maxLength={32_768}
      />
      <TheirValues met={met} words={words} fields={named} onChange={change} />
      <Outcome
        of={attempt}
        fields={['authority.url', 'authority.policy', 'authority.certificates']}
        done={t('houseTimeSaved')}
      />
      <Actions>
        <Button type="submit" busy={attempt.busy}>
          {t('houseTimeSave')}
        </Button>
      </Actions>
    </form>
  )
}

/** Who stamps checkpoints of the audit trail with the time, so that nobody can say later that one was made afterwards. */
export const TimeAuthoritySection = () => {
  const { t } = useLanguage()
  const { org } = useDesk()
  const mayChange = useMay('org.manage')
  const timestamps = useEndpoint('portal.timestamps.get', { params: { orgId: org.id } })
  return (
    <Section title={t('houseTimeTitle')}>
      <p>{t('houseTimeText')}</p>
      <Loaded question={timestamps}>
        {(settings) => (
          <>
            <Stamped settings={settings} />
            {mayChange ? <AuthorityForm settings={settings} /> : null}
          </>
        )}
      </Loaded>
    </Section>
  )
}
