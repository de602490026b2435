import { ConsentTable } from '@integrity/shared-ui/web/consent-table'
import { Notice, Page } from '@integrity/shared-ui/web/shell'
import { useEffect, useRef, useState } from 'react'
import { useAgent } from '../components/agent.tsx'
import { CapabilityList } from '../components/capability-list.tsx'
import { useConsentDraft } from '../components/consent-draft.tsx'
import { useLanguage } from '../components/language.tsx'
import { ProblemNotice } from '../components/problem-notice.tsx'
import { useOrg } from '../components/use-org.ts'
import {
  type Answers,
  type ConsentView,
  type DocumentLane,
  type LaneName,
  stillGood,
  unanswered,
} from '../state/consent-answers.ts'
import { brieflyHowOften } from '../state/lane-facts.ts'
import { ConsentAnswer } from './consent-answer.tsx'
import { PartDetails, SharedFacts } from './consent-lane.tsx'
import { WhoAsksPage } from './who-asks-page.tsx'

/** What differs from the text that was on the screen before; stands first and is read first. */
const Changes = ({ view }: { readonly view: ConsentView }) => {
  const { t } = useLanguage()
  const heading = useRef<HTMLHeadingElement>(null)
  const { changes = [], document } = view
  const { hash } = document
  const some = changes.length > 0
  useEffect(() => {
    if (some && hash) heading.current?.focus()
  }, [hash, some])
  if (!some) return null
  return (
    <Notice kind="attention">
      <h2 ref={heading} tabIndex={-1}>
        {t('changesTitle')}
      </h2>
      <p>{t('changesText')}</p>
      <ul>
        {changes.map(({ what, lane, title, before = '' }) => (
          <li key={`${what} ${lane ?? ''}`}>
            {t(`change.${what}`, {
              title: lane ? t(`lane.${lane}`) : (title ?? ''),
              days: document.retentionDays,
              before,
            })}
            {what === 'lane_text' && before !== '' ? (
              <p className="small" lang={document.locale}>
                {t('changeBefore', { before })}
              </p>
            ) : null}
          </li>
        ))}
      </ul>
    </Notice>
  )
}

/** What holds for all parts: what one has to know stands there, the rest behind a fold. */
const General = ({ view: { config, capabilities, document } }: { readonly view: ConsentView }) => {
  const { t } = useLanguage()
  const { keyProtection } = useAgent().state
  const basic = keyProtection === 'basic'
  return (
    <>
      <ul>
        <li>{t('consentStop')}</li>
        <li>{t('consentDevice')}</li>
        {basic ? <li>{t('consentStoredBasic')}</li> : null}
      </ul>
      <div lang={document.locale}>
        {document.notice?.map((text) => (
          <p key={text}>{text}</p>
        ))}
      </div>
      <details>
        <summary>{t('generalTitle')}</summary>
        <ul>
          <li>{t(config.pauseAllowed ? 'consentPause' : 'consentNoPause')}</li>
          {config.sideView.enabled ? <li>{t('consentPhone')}</li> : null}
          {basic ? null : <li>{t('consentStored')}</li>}
        </ul>
        <CapabilityList lines={capabilities} />
      </details>
    </>
  )
}

interface DocumentProps {
  readonly view: ConsentView
  readonly answers: Answers
  readonly onAnswer: (lane: LaneName, value: boolean) => void
  readonly onBack: () => void
}

const DocumentTable = ({ view, answers, missing, onAnswer }: Table) => {
  const { t, language } = useLanguage()
  const org = useOrg()
  const { document, config, changes = [] } = view
  const foreign = document.locale !== language.code
  const nameOf = ({ lane, title }: DocumentLane) => (foreign ? t(`lane.${lane}`) : title)
  const often = (lane: LaneName) => {
    const { key, n } = brieflyHowOften(lane, config)
    return t(key, { n })
  }
  return (
    <ConsentTable<LaneName>
      // What changed is open from the start.
      key={document.hash}
      caption={t('consentTitle')}
      parts={document.lanes}
      nameOf={nameOf}
      often={often}
      opened={changes.flatMap(({ lane }) => lane ?? [])}
      answers={{ of: answers, missing: missing.map(({ lane }) => lane), give: onAnswer }}
      details={(entry) => (
        <>
          <PartDetails entry={entry} view={view} />
          <p className="small">{t(entry.required ? 'consentRequiredText' : 'consentOptionalText', { org })}</p>
        </>
      )}
    />
  )
}

interface Table extends Omit<DocumentProps, 'onBack'> {
  readonly missing: readonly DocumentLane[]
}

const DocumentPage = ({ onBack, ...rest }: DocumentProps) => {
  const { t } = useLanguage()
  const { view, answers } = rest
  const { document } = view
  const [asked, setAsked] = useState(false)
  const missing = asked ? unanswered(document.lanes, answers) : []
  return (
    <Page title={t('consentTitle')} wide>
      <ProblemNotice />
      <Changes view={view} />
      <p>{t('consentIntro')}</p>
      <DocumentTable {...rest} missing={missing} />
      <SharedFacts document={document} />
      <General view={view} />
      <ConsentAnswer
        key={document.hash}
        document={document}
        answers={answers}
        onMissing={() => setAsked(true)}
        onBack={onBack}
      />
    </Page>
  )
}

/** Who asks, and then what may be recorded, part by part. */
export const ConsentPage = () => {
  const { consent } = useAgent().state
  const [draft, setDraft] = useConsentDraft()
  if (!consent) return null
  const { hash } = consent.document
  // Answers given to another text count only where this one says the same.
  const answers = draft.hash === hash ? draft.answers : stillGood(draft.answers, consent)
  // What changed is shown first, whatever the person was looking at.
  const changed = draft.hash !== hash && (consent.changes?.length ?? 0) > 0
  if (draft.step === 'who' && !changed)
    return <WhoAsksPage key="who" onNext={() => setDraft({ hash, answers, step: 'what' })} />
  return (
    <DocumentPage
      key="what"
      view={consent}
      answers={answers}
      onAnswer={(lane, value) => setDraft({ hash, answers: { ...answers, [lane]: value }, step: 'what' })}
      onBack={() => setDraft({ hash, answers, step: 'who' })}
    />
  )
}
