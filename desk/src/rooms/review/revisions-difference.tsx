import { useLocale } from '@integrity/shared-ui/web/spoken'
import { useLanguage } from '../../parts/language.ts'
import { shortTime, spanWords } from '../../parts/spans.ts'
import type { DeskText } from '../../words/desk.ts'
import { type Changed, type ComparedReport, differenceOf, type Words } from './report-difference.ts'

/** Who signed it, and what they said beside it. */
const Signed = ({ report: { signOff, asOf } }: { readonly report: ComparedReport }) => {
  const { t } = useLanguage()
  const locale = useLocale()
  if (!signOff) return <p>{t('revisionsAsOf', { at: shortTime(asOf, locale) })}</p>
  const { signedOffBy, signedOffAt, statement } = signOff
  return (
    <>
      <p>{t('revisionsSigned', { name: signedOffBy.name, at: shortTime(signedOffAt, locale) })}</p>
      {statement === null ? null : (
        <blockquote className="written">
          <p>{statement}</p>
        </blockquote>
      )}
    </>
  )
}

const Figure = ({ what, lane, before, after }: Changed) => {
  const { t } = useLanguage()
  const locale = useLocale()
  const isTime = what === 'held' || what === 'observed'
  const words = (n: number) => (isTime ? spanWords(n, locale) : n.toLocaleString(locale))
  const about = t(`revisionsFigure.${what}`)
  return (
    <li>
      {lane === undefined ? about : `${t(`lane.${lane}` as DeskText)}: ${about}`}:{' '}
      {t('revisionsChanged', { before: words(before), after: words(after) })}
    </li>
  )
}

const Said = ({ kind, change, text, by, at }: Words) => {
  const { t } = useLanguage()
  const locale = useLocale()
  return (
    <li>
      {t(`revisionsWords.${change}`)} {t(`revisionsKind.${kind}`)}
      <blockquote className="written">
        <p>{text ?? t('statementErased')}</p>
        <footer>
          – {by ?? t('revisionsCandidate')}, {shortTime(at, locale)}
        </footer>
      </blockquote>
    </li>
  )
}

interface Props {
  readonly before: ComparedReport
  readonly after: ComparedReport
}

/** Two reports beside each other: who signed each, then what differs. */
export const RevisionsDifference = ({ before, after }: Props) => {
  const { t } = useLanguage()
  const { figures, words } = differenceOf(before, after)
  return (
    <>
      <Signed report={before} />
      <Signed report={after} />
      {figures.length + words.length === 0 ? <p>{t('revisionsSame')}</p> : null}
      <ul>
        {figures.map((one) => (
          <Figure key={`${one.what} ${one.lane}`} {...one} />
        ))}
        {words.map((one) => (
          <Said key={`${one.kind} ${one.at} ${one.text}`} {...one} />
        ))}
      </ul>
    </>
  )
}
