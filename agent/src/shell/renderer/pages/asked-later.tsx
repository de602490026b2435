import { Actions, Button } from '@integrity/shared-ui/web/button'
import { Section } from '@integrity/shared-ui/web/section'
import { useEffect, useRef } from 'react'
import type { WindowState } from '../../../shared/ipc/window-state.ts'
import { useAgent } from '../components/agent.tsx'
import { useLanguage } from '../components/language.tsx'
import { useOrg } from '../components/use-org.ts'
import { PartDetails, SharedFacts } from './consent-lane.tsx'

type Asked = NonNullable<NonNullable<WindowState['recording']>['asked']>
interface Props {
  readonly asked: Asked
  readonly lane: Asked['lanes'][number]
}

/** Both answers look alike, and neither is chosen beforehand. */
const Answers = ({ asked, lane: { lane, sending } }: Props) => {
  const { t } = useLanguage()
  const { send, busy } = useAgent()
  const { hash } = asked.document
  const name = t(`lane.${lane}`)
  const waits = sending || busy('recording.answer')
  return (
    <Actions>
      {[true, false].map((agree) => (
        <Button
          key={String(agree)}
          busy={waits}
          aria-label={t(agree ? 'askedAgreeOf' : 'askedDeclineOf', { lane: name })}
          onClick={() => {
            if (!waits) send('recording.answer', { hash, lane, agree })
          }}
        >
          {t(agree ? 'askedAgree' : 'askedDecline')}
        </Button>
      ))}
    </Actions>
  )
}

const AskedLane = ({ asked, lane }: Props) => {
  const { t } = useLanguage()
  const org = useOrg()
  const { document, config } = asked
  const entry = document.lanes.find((other) => other.lane === lane.lane)
  if (!entry) return null
  const adds = lane.before !== undefined
  return (
    <Section
      card
      title={t(adds ? 'askedMoreTitle' : 'askedTitle', { org, lane: t(`lane.${lane.lane}`) })}
      data-asked={lane.lane}
    >
      <p>{t(adds ? 'askedMore' : 'askedText')}</p>
      <PartDetails entry={entry} view={{ document, config }} />
      {adds ? (
        <p className="small" lang={document.locale}>
          {t('changeBefore', { before: lane.before ?? '' })}
        </p>
      ) : null}
      <SharedFacts document={document} />
      <p>{t(entry.required ? 'askedNeeded' : 'askedNo', { org })}</p>
      <Answers asked={asked} lane={lane} />
      <p role="status">{lane.sending ? t('askedSending') : ''}</p>
    </Section>
  )
}

/** What is asked for since the recording runs: a card for each part, for as long as it takes. */
export const AskedLater = ({ asked }: { readonly asked: Asked | undefined }) => {
  const place = useRef<HTMLDivElement>(null)
  const count = asked?.lanes.length ?? 0
  const before = useRef(count)
  useEffect(() => {
    // A card that goes takes the focus of its button along.
    const lost = document.activeElement === null || document.activeElement === document.body
    if (count < before.current && lost) place.current?.focus()
    before.current = count
  }, [count])
  return (
    <div ref={place} tabIndex={-1}>
      {asked?.lanes.map((lane) => (
        <AskedLane key={lane.lane} asked={asked} lane={lane} />
      ))}
    </div>
  )
}
