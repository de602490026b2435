import { Actions, Button } from '@integrity/room-web/ui/button'
import { Section } from '@integrity/room-web/ui/section'
import { Notice, Page } from '@integrity/room-web/ui/shell'
import { useEffect, useRef, useState } from 'react'
import { useAgent } from '../components/agent.tsx'
import { CapabilityList } from '../components/capability-list.tsx'
import { useConsentDraft } from '../components/consent-draft.tsx'
import { useLanguage } from '../components/language.tsx'
import { ProblemNotice } from '../components/problem-notice.tsx'
import { type Answers, type ConsentView, type LaneName, stillGood, unanswered } from '../state/consent-answers.ts'
import { ConsentAnswer } from './consent-answer.tsx'
import { ConsentLane } from './consent-lane.tsx'
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

const General = ({ view: { config } }: { readonly view: ConsentView }) => {
  const { t } = useLanguage()
  const { keyProtection } = useAgent().state
  return (
    <Section title={t('generalTitle')}>
      <ul>
        <li>{t('consentStop')}</li>
        <li>{t('consentDevice')}</li>
        <li>{t(config.pauseAllowed ? 'consentPause' : 'consentNoPause')}</li>
        {config.sideView.enabled ? <li>{t('consentPhone')}</li> : null}
        <li>{t(keyProtection === 'basic' ? 'consentStoredBasic' : 'consentStored')}</li>
      </ul>
    </Section>
  )
}

interface DocumentProps {
  readonly view: ConsentView
  readonly answers: Answers
  readonly onAnswer: (lane: LaneName, value: boolean) => void
  readonly onBack: () => void
}

const DocumentPage = ({ view, answers, onAnswer, onBack }: DocumentProps) => {
  const { t } = useLanguage()
  const { document, capabilities } = view
  const [asked, setAsked] = useState(false)
  const missing = asked ? unanswered(document.lanes, answers) : []
  return (
    <Page title={t('consentTitle')} wide>
      <ProblemNotice />
      <Changes view={view} />
      <p>{t('consentIntro')}</p>
      {document.lanes.map((entry) => (
        <ConsentLane
          key={entry.lane}
          entry={entry}
          view={view}
          answer={answers[entry.lane]}
          missing={missing.includes(entry)}
          onAnswer={(value) => onAnswer(entry.lane, value)}
        />
      ))}
      <General view={view} />
      <CapabilityList lines={capabilities} />
      <ConsentAnswer key={document.hash} document={document} answers={answers} onMissing={() => setAsked(true)} />
      <Actions>
        <Button onClick={onBack}>{t('back')}</Button>
      </Actions>
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
