import { useId, useRef } from 'react'
import { WordsField } from '../../components/fields.tsx'
import { Section } from '../../components/section.tsx'
import { SendProblemNotice } from '../../components/send-problem.tsx'
import { useDraft } from '../../components/use-draft.ts'
import { useSending } from '../../components/use-sending.ts'
import type { InvitedProps } from './invited-page.tsx'
import { useLanguage } from './language.ts'

const empty = { reason: '' as string }
const mostCharacters = 2_000

/** Declining ends the link, so it is asked once, with what it means. */
export const DeclineSection = ({ invitation: { call, visit, sessionId }, facts }: InvitedProps) => {
  const { t } = useLanguage()
  const dialog = useRef<HTMLDialogElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const titleId = useId()
  const { words, change, once, clear } = useDraft(`decline ${sessionId}`, empty)
  const { busy, problem, send } = useSending({
    endedBy: (error) => visit.endedBy(error),
    onConflict: () => void visit.refresh(),
  })
  const ask = () => {
    dialog.current?.showModal()
    // Not a button: pressing twice answers nothing.
    heading.current?.focus()
  }
  const decline = async () => {
    const reason = words.reason.trim()
    await call.ask('invitations.decline', reason ? { reason } : {}, once())
    clear()
    visit.end('declined')
  }
  return (
    <Section title={t('declineTitle')}>
      <p>{t('declineText')}</p>
      <div className="actions">
        <button type="button" onClick={ask}>
          {t('decline')}
        </button>
      </div>
      <dialog ref={dialog} aria-labelledby={titleId}>
        <h2 ref={heading} id={titleId} tabIndex={-1}>
          {t('declineQuestion')}
        </h2>
        <p>{t('declineMeans', { org: facts.org.name })}</p>
        <WordsField
          name="reason"
          label={t('declineReason')}
          optional
          value={words.reason}
          maxLength={mostCharacters}
          onChange={(reason) => change({ reason })}
        />
        <SendProblemNotice problem={problem} conflict={t('declineConflict')} />
        <div className="actions">
          <button type="button" aria-disabled={busy} onClick={() => send(decline)}>
            {t(busy ? 'sending' : 'declineConfirm')}
          </button>
          <button type="button" onClick={() => dialog.current?.close()}>
            {t('cancel')}
          </button>
        </div>
      </dialog>
    </Section>
  )
}
