import { Actions, Button } from '@integrity/shared-ui/web/button'
import { ChoiceField } from '@integrity/shared-ui/web/fields'
import { Section } from '@integrity/shared-ui/web/section'
import { useLocale } from '@integrity/shared-ui/web/spoken'
import { useId, useState } from 'react'
import type { Moment } from '../../data/desk-api.ts'
import { useDesk, useMay } from '../../parts/desk-context.ts'
import { useLanguage } from '../../parts/language.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { clockTime } from '../../parts/spans.ts'
import { useEndpoint } from '../../parts/use-endpoint.ts'
import { useWrite } from '../../parts/use-write.ts'
import { namesBelow } from '../../words/desk.ts'
import { RemarkForm } from './remark-form.tsx'

interface ExplainProps {
  readonly id: string
  readonly momentId: string
  readonly done?: () => void
}

/** Where a person says what a moment was. */
export const ExplainForm = ({ id, momentId, done = () => undefined }: ExplainProps) => {
  const { t } = useLanguage()
  const { own } = useDesk()
  const [meaning, setMeaning] = useState(namesBelow('meaning')[0] ?? 'benign')
  const writing = useWrite('portal.coverage', 'portal.report', 'portal.reelIndex.get')
  const options = namesBelow('meaning').map((value) => ({ value, label: t(`meaning.${value}`) }))
  return (
    <RemarkForm
      about={momentId}
      label={t('explainLabel')}
      button={t('explainSave')}
      writing={writing}
      onWords={async (text, idempotencyKey) => {
        const body = { momentId, meaning, text }
        await own.call('portal.coverage.annotate', { params: { id }, body, idempotencyKey })
        done()
      }}
    >
      <ChoiceField
        name="meaning"
        label={t('explainMeaning')}
        value={meaning}
        options={options}
        onChange={(chosen) => setMeaning(namesBelow('meaning').find((name) => name === chosen) ?? meaning)}
      />
    </RemarkForm>
  )
}

/** Opened by a button, as most moments of an interview need no words. */
const Explain = ({ id, moment }: MomentProps) => {
  const { t } = useLanguage()
  const [open, setOpen] = useState(false)
  const form = useId()
  return (
    <>
      <Actions>
        <Button aria-expanded={open} aria-controls={form} onClick={() => setOpen(!open)}>
          {t('explain')}
        </Button>
      </Actions>
      <div id={form}>{open ? <ExplainForm id={id} momentId={moment.id} /> : null}</div>
    </>
  )
}

interface MomentProps {
  /** Of the session. */
  readonly id: string
  readonly moment: Moment
}

const MomentItem = ({ id, moment }: MomentProps) => {
  const { t } = useLanguage()
  const locale = useLocale()
  const mayExplain = useMay('report.annotate')
  const { at, untilAt, title, lanes, commonReasons, annotations } = moment
  const times = [at, untilAt].flatMap((time) => (time === null ? [] : [clockTime(time, locale)]))
  return (
    <li>
      <p>
        <strong>{times.join(' – ')}</strong> <span lang="en">{title}</span>
      </p>
      {lanes.length > 0 ? (
        <p className="small">{t('momentLanes', { lanes: lanes.map((lane) => t(`lane.${lane}`)).join(', ') })}</p>
      ) : null}
      <details>
        <summary>{t('momentReasons')}</summary>
        <ul lang="en">
          {commonReasons.map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
      </details>
      {annotations.map(({ id: annotationId, author, meaning, text }) => (
        <blockquote key={annotationId} className="written">
          <p>{text}</p>
          <footer>
            – {author.name}: {t(`meaning.${meaning}`)}
          </footer>
        </blockquote>
      ))}
      {mayExplain ? <Explain id={id} moment={moment} /> : null}
    </li>
  )
}

const mostOnPage = 50

/** What published rules name, in the order of time, with why it happens to anybody. */
export const MomentsSection = ({ id }: { readonly id: string }) => {
  const { t } = useLanguage()
  const [cursor, setCursor] = useState<string>()
  const coverage = useEndpoint('portal.coverage', { params: { id }, query: { limit: mostOnPage, cursor } })
  return (
    <Section title={t('momentsTitle')}>
      <p>{t('momentsText')}</p>
      <Loaded question={coverage}>
        {({ items, total, nextCursor }) => (
          <>
            {total === 0 ? <p>{t('momentsNone')}</p> : null}
            <ol className="plain moments">
              {items.map((moment) => (
                <MomentItem key={moment.id} id={id} moment={moment} />
              ))}
            </ol>
            {total > items.length ? <p>{t('shownOf', { shown: items.length, total })}</p> : null}
            <Actions>
              {cursor === undefined ? null : <Button onClick={() => setCursor(undefined)}>{t('firstPage')}</Button>}
              {nextCursor === null ? null : <Button onClick={() => setCursor(nextCursor)}>{t('nextPage')}</Button>}
            </Actions>
          </>
        )}
      </Loaded>
    </Section>
  )
}
