import { Fact, Facts } from '@integrity/room-web/ui/facts'
import { Section } from '@integrity/room-web/ui/section'
import { useId } from 'react'
import { useLanguage } from '../components/language.tsx'
import { useOrg } from '../components/use-org.ts'
import type { ConsentView, DocumentLane } from '../state/consent-answers.ts'
import { howOften } from '../state/lane-facts.ts'

interface Props {
  readonly entry: DocumentLane
  readonly view: ConsentView
  readonly answer: boolean | undefined
  readonly missing: boolean
  readonly onAnswer: (answer: boolean) => void
}

interface Told {
  readonly entry: DocumentLane
  readonly view: Pick<ConsentView, 'document' | 'config'>
}

/** Why, how often, how long and for whom. */
export const LaneFacts = ({ entry, view: { document, config } }: Told) => {
  const { t } = useLanguage()
  const org = useOrg()
  const often = howOften(entry.lane, config).map(({ key, n = 0 }) => t(key, { n }))
  return (
    <Facts>
      <Fact name={t('consentWhy')}>{t(`why.${entry.lane}`)}</Fact>
      <Fact name={t('consentOften')}>{often.join(' ')}</Fact>
      <Fact name={t('consentKept')}>{t('consentKeptText', { org, days: document.retentionDays })}</Fact>
      <Fact name={t('consentReaders')}>{t('consentReadersText', { org })}</Fact>
    </Facts>
  )
}

const Choice = ({ entry, answer, missing, onAnswer }: Omit<Props, 'view'>) => {
  const { t } = useLanguage()
  const id = useId()
  return (
    <fieldset className={missing ? 'choice missing' : 'choice'} aria-describedby={id}>
      <legend>
        <span className="unseen">{t(`lane.${entry.lane}`)}: </span>
        {t('consentAsk')}
      </legend>
      {[true, false].map((value) => (
        <label key={String(value)}>
          <input
            type="radio"
            name={`answer-${entry.lane}`}
            checked={answer === value}
            onChange={() => onAnswer(value)}
          />
          {t(value ? 'yes' : 'no')}
        </label>
      ))}
      <p id={id} className="small">
        {t('consentOptionalText')}
      </p>
    </fieldset>
  )
}

/** The service's own words, the one list of what is collected; marked as such where they are in another language. */
export const Words = ({ entry, document }: Pick<Told, 'entry'> & Pick<ConsentView, 'document'>) => {
  const { t, language } = useLanguage()
  if (document.locale === language.code) return <p lang={document.locale}>{entry.text}</p>
  return (
    <>
      <p className="small">{t('consentFrom')}</p>
      <blockquote lang={document.locale}>
        <strong>{entry.title}.</strong> {entry.text}
      </blockquote>
    </>
  )
}

/** One part of what is asked for: the service's words, what follows from the policy, and the answer. */
export const ConsentLane = ({ entry, view, answer, missing, onAnswer }: Props) => {
  const { t, language } = useLanguage()
  const foreign = view.document.locale !== language.code
  return (
    <Section card title={foreign ? t(`lane.${entry.lane}`) : entry.title} data-lane={entry.lane}>
      <p className="tag">{t(entry.required ? 'consentRequired' : 'consentOptional')}</p>
      <Words entry={entry} document={view.document} />
      <LaneFacts entry={entry} view={view} />
      {entry.required ? (
        <p>{t('consentRequiredText')}</p>
      ) : (
        <Choice entry={entry} answer={answer} missing={missing} onAnswer={onAnswer} />
      )}
    </Section>
  )
}
