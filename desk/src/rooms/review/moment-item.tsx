import { Actions, Button } from '@integrity/shared-ui/web/button'
import { Fact, Facts } from '@integrity/shared-ui/web/facts'
import { useLocale } from '@integrity/shared-ui/web/spoken'
import type { Moment, Report } from '../../data/desk-api.ts'
import { useMay } from '../../parts/desk-context.ts'
import { useLanguage } from '../../parts/language.ts'
import { ruleReasons, ruleTitle } from '../../parts/rule-words.ts'
import { clockTime } from '../../parts/spans.ts'
import { Explain } from './explain-form.tsx'

type Read = Readonly<Record<string, unknown>>

const wordsOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** What was read, by the names that the application gives it. */
const Reading = ({ title, read }: { readonly title: string; readonly read: Read }) => (
  <>
    <p>{title}</p>
    <Facts>
      {Object.entries(read).map(([name, value]) => (
        <Fact key={name} name={name}>
          <code>{wordsOf(value)}</code>
        </Fact>
      ))}
    </Facts>
  </>
)

/** How usual it is: of interviews, never of a person. */
const BaseRate = ({ rate }: { readonly rate: NonNullable<Moment['baseRate']> }) => {
  const { t } = useLanguage()
  const locale = useLocale()
  const { seenIn, sessions } = rate
  const share = (seenIn / sessions).toLocaleString(locale, { style: 'percent', maximumFractionDigits: 0 })
  return <p>{t('momentBaseRate', { share, seenIn, sessions })}</p>
}

/** What the candidate wrote about the whole interview, in the size of everything else that is written of the moment. */
const OwnWords = ({ statements }: Pick<Report, 'statements'>) => {
  const { t } = useLanguage()
  const locale = useLocale()
  if (statements.length === 0) return <p>{t('statementsNone')}</p>
  const general = statements.filter(({ moment }) => moment === null)
  if (general.length === 0) return null
  return (
    <>
      <p>{t('momentOwnWords')}</p>
      {general.map(({ at, text }) => (
        <blockquote key={at} className="written">
          <p>{text ?? t('statementErased')}</p>
          <footer>{clockTime(at, locale)}</footer>
        </blockquote>
      ))}
    </>
  )
}

/** What people wrote about this moment, the candidate first, each in the same size. */
const Written = ({ moment: { statements, annotations } }: { readonly moment: Moment }) => {
  const { t } = useLanguage()
  const locale = useLocale()
  return (
    <>
      {statements.map(({ at, text }) => (
        <blockquote key={at} className="written">
          <p>{text ?? t('statementErased')}</p>
          <footer>– {t('momentSaid', { at: clockTime(at, locale) })}</footer>
        </blockquote>
      ))}
      {annotations.map(({ id, author, meaning, text }) => (
        <blockquote key={id} className="written">
          <p>{text}</p>
          <footer>
            – {author.name}: {t(`meaning.${meaning}`)}
          </footer>
        </blockquote>
      ))}
    </>
  )
}

interface Props {
  /** Of the session. */
  readonly id: string
  readonly moment: Moment
  readonly statements: Report['statements']
  readonly onPlay: () => void
}

const MomentDetails = ({ moment, statements }: Pick<Props, 'moment' | 'statements'>) => {
  const { t } = useLanguage()
  const { rule, reading, atStart, baseRate } = moment
  const reasons = ruleReasons(t, moment)
  return (
    <details>
      <summary>{t('momentReasons')}</summary>
      <ul lang={reasons.lang}>
        {reasons.words.map((reason) => (
          <li key={reason}>{reason}</li>
        ))}
      </ul>
      {baseRate ? <BaseRate rate={baseRate} /> : null}
      <OwnWords statements={statements} />
      <p>
        {t('momentRule')} <code>{rule}</code>
      </p>
      <Reading title={t('momentReading')} read={reading} />
      {atStart ? <Reading title={t('momentAtStart')} read={atStart} /> : <p>{t('momentNoStart')}</p>}
    </details>
  )
}

/** One moment: what was read, why it happens to anybody, and what people wrote of it. */
export const MomentItem = ({ id, moment, statements, onPlay }: Props) => {
  const { t } = useLanguage()
  const locale = useLocale()
  const mayExplain = useMay('report.annotate')
  const { at, untilAt, lanes } = moment
  const title = ruleTitle(t, moment)
  const times = [at, untilAt].flatMap((time) => (time === null ? [] : [clockTime(time, locale)]))
  return (
    <li>
      <p>
        <strong>{times.join(' – ')}</strong> <span lang={title.lang}>{title.words}</span>
      </p>
      {lanes.length > 0 ? (
        <p className="small">{t('momentLanes', { lanes: lanes.map((lane) => t(`lane.${lane}`)).join(', ') })}</p>
      ) : null}
      <MomentDetails moment={moment} statements={statements} />
      <Written moment={moment} />
      <div className="acts">
        <Actions>
          <Button onClick={onPlay}>{t('momentPlay')}</Button>
        </Actions>
        {mayExplain ? <Explain id={id} momentId={moment.id} /> : null}
      </div>
    </li>
  )
}
