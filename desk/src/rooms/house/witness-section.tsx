import type { EndpointMap, ResultOf } from '@integrity/protocol'
import { useDraft } from '@integrity/shared-ui/hooks/use-draft'
import { Actions, Button } from '@integrity/shared-ui/web/button'
import { Fact, Facts } from '@integrity/shared-ui/web/facts'
import { ExactField } from '@integrity/shared-ui/web/fields'
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

type Witnessing = ResultOf<EndpointMap['portal.witnesses.get']>
type Kept = Witnessing['mailed']

const Sent = ({ settings }: { readonly settings: Witnessing }) => {
  const { t } = useLanguage()
  const locale = useLocale()
  const words = (kept: Kept) =>
    kept ? t('houseWitnessKept', { rows: kept.rows, at: shortTime(kept.at, locale) }) : t('houseWitnessNever')
  return (
    <Facts>
      <Fact name={t('houseWitnessMailed')}>{words(settings.mailed)}</Fact>
      <Fact name={t('houseWitnessPublished')}>{words(settings.published)}</Fact>
      <Fact name={t('houseWitnessCosigned')}>{words(settings.cosigned)}</Fact>
      {settings.problem ? <Fact name={t('houseWitnessProblem')}>{settings.problem}</Fact> : null}
    </Facts>
  )
}

interface CheckProps {
  readonly label: string
  readonly checked: boolean
  readonly onChange: (checked: boolean) => void
}

const Check = ({ label, checked, onChange }: CheckProps) => (
  <label className="check">
    <input type="checkbox" checked={checked} onChange={({ target }) => onChange(target.checked)} />
    {label}
  </label>
)

const wordsOf = ({ mail, webhook, witness }: Witnessing) => ({
  mail: mail ? 'yes' : '',
  webhook: webhook ? 'yes' : '',
  url: witness?.url ?? '',
  key: witness?.verifierKey ?? '',
})
type WitnessWords = ReturnType<typeof wordsOf>

const bodyOf = ({ mail, webhook, url, key }: WitnessWords) => {
  const witness = url.trim() === '' && key.trim() === '' ? null : { url: url.trim(), verifierKey: key.trim() }
  return { mail: mail === 'yes', webhook: webhook === 'yes', witness }
}

/** `base`: the version of the settings that the writer has seen. */
const seenWordsOf = (settings: Witnessing) => ({ ...wordsOf(settings), base: String(settings.version) })

const useWitnessForm = (settings: Witnessing) => {
  const { own, org, person, pageMemory } = useDesk()
  const empty = seenWordsOf(settings)
  const draft = useDraft(`witnesses ${person.user.id} ${org.id}`, empty, pageMemory)
  const attempt = useAttempt('portal.witnesses.get')
  const theirs = useTheirs(draft, empty, 'base')
  const params = { orgId: org.id }
  const save = () =>
    attempt.attempt(() => {
      const set = async () => {
        const body = { ...bodyOf(draft.words), expectedVersion: Number(draft.words.base) }
        const { data } = await own.call('portal.witnesses.set', { params, body })
        draft.clear()
        draft.change(seenWordsOf(data))
        theirs.settle(seenWordsOf(data))
      }
      return theirs.guard(set, async () => seenWordsOf((await own.call('portal.witnesses.get', { params })).data))
    })
  return { words: draft.words, change: draft.change, attempt, met: theirs.met, save }
}

const WitnessForm = ({ settings }: { readonly settings: Witnessing }) => {
  const { t } = useLanguage()
  const { words, change, attempt, met, save } = useWitnessForm(settings)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    save()
  }
  const on = (value: string) => t(value === 'yes' ? 'theirsOn' : 'theirsOff')
  const named = [
    { name: 'mail', label: t('houseWitnessMail'), show: on },
    { name: 'webhook', label: t('houseWitnessWebhook'), show: on },
    { name: 'url', label: t('houseWitnessUrl') },
    { name: 'key', label: t('houseWitnessKey') },
  ]
  return (
    <form onSubmit={submit} noValidate>
      <Check
        label={t('houseWitnessMail')}
        checked={words.mail === 'yes'}
        onChange={(on) => change({ mail: on ? 'yes' : '' })}
      />
      <Check
        label={t('houseWitnessWebhook')}
        checked={words.webhook === 'yes'}
        onChange={(on) => change({ webhook: on ? 'yes' : '' })}
      />
      <ExactField
        name="witness-url"
        label={t('houseWitnessUrl')}
        value={words.url}
        onChange={(url) => change({ url })}
        error={attempt.at('witness.url')}
        help={t('houseWitnessUrlHelp')}
        optional
        maxLength={2000}
      />
      <ExactField
        name="witness-key"
        label={t('houseWitnessKey')}
        value={words.key}
        onChange={(key) => change({ key })}
        error={attempt.at('witness.verifierKey')}
        optional
        maxLength={300}
      />
      <TheirValues met={met} words={words} fields={named} onChange={change} />
      <Outcome of={attempt} fields={['witness.url', 'witness.verifierKey']} done={t('houseWitnessSaved')} />
      <Actions>
        <Button type="submit" busy={attempt.busy}>
          {t('houseWitnessSave')}
        </Button>
      </Actions>
    </form>
  )
}

/** Where signed checkpoints of the audit trail go, so that whoever has one can show later that it was cut. */
export const WitnessSection = () => {
  const { t } = useLanguage()
  const { org } = useDesk()
  const mayChange = useMay('org.manage')
  const witnesses = useEndpoint('portal.witnesses.get', { params: { orgId: org.id } })
  return (
    <Section title={t('houseWitnessTitle')}>
      <p>{t('houseWitnessText')}</p>
      <Loaded question={witnesses}>
        {(settings) => (
          <>
            <Sent settings={settings} />
            {mayChange ? <WitnessForm settings={settings} /> : null}
          </>
        )}
      </Loaded>
    </Section>
  )
}
