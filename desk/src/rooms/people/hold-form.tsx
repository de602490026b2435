import { useDraft } from '@integrity/shared-ui/hooks/use-draft'
import { Actions } from '@integrity/shared-ui/web/button'
import { ConfirmButton } from '@integrity/shared-ui/web/confirm-button'
import { LineField } from '@integrity/shared-ui/web/fields'
import { useState } from 'react'
import type { ReadResult } from '../../data/desk-api.ts'
import { useDesk } from '../../parts/desk-context.ts'
import { Outcome } from '../../parts/outcome.tsx'
import { TheirValues } from '../../parts/their-values.tsx'
import { useAttempt } from '../../parts/use-attempt.ts'
import { useSeen } from '../../parts/use-seen.ts'
import { useLanguage } from './people-language.tsx'

/** How a hold is, and which state of it that is. */
export type Placed = Pick<ReadResult<'portal.retention.sessions.holdOf'>, 'legalHold' | 'version'>

interface Props {
  /** Undefined for the whole organisation. */
  readonly sessionId: string | undefined
  /** How the hold is now; undefined until it is known, or for whoever may not see it. */
  readonly placed: Placed | undefined
}

const useHolding = ({ sessionId, placed }: Props) => {
  const { own, org, person, pageMemory } = useDesk()
  const { t } = useLanguage()
  const of = sessionId === undefined ? 'org' : 'session'
  const seen = useSeen(placed?.version)
  const draft = useDraft(`hold ${person.user.id} ${org.id} ${of}`, { reason: '' }, pageMemory)
  const acting = useAttempt(
    'portal.retention.get',
    'portal.retention.sessions.holdOf',
    'portal.retention.preview',
    'portal.auditLogs.list',
    'sessions.detail',
  )
  const put = (on: boolean) =>
    acting.attempt(async () => {
      const reason = draft.words.reason.trim()
      const { expected: expectedVersion } = seen
      const version = expectedVersion === undefined ? {} : { expectedVersion }
      const body = { on, ...(reason === '' ? {} : { reason }), ...version }
      const params = { orgId: org.id }
      await seen.guard(
        sessionId === undefined
          ? own.call('portal.retention.hold', { params, body })
          : own.call('portal.retention.sessions.hold', { params: { ...params, sessionId }, body }),
      )
      draft.clear()
      return t(on ? 'peopleHoldIsOn' : 'peopleHoldIsOff')
    })
  return { draft, acting, put, isOvertaken: seen.isOvertaken }
}

interface ActsProps {
  readonly sessionId: string | undefined
  readonly busy: boolean
  /** Whether there is a reason to act with. */
  readonly before: () => boolean
  readonly put: (on: boolean) => void
}

const HoldActs = ({ sessionId, busy, before, put }: ActsProps) => {
  const { t } = useLanguage()
  const what = sessionId ?? t('peopleWholeOrg')
  const question = { cancel: t('cancel'), busy }
  const of = sessionId === undefined ? 'Org' : 'Session'
  return (
    <Actions>
      <ConfirmButton
        {...question}
        label={t(`peopleHoldPlace${of}`)}
        title={t(`peopleHoldPlace${of}`)}
        confirm={t(`peopleHoldPlace${of}`)}
        before={before}
        onConfirm={() => put(true)}
      >
        <p>{t('peopleHoldPlaceText', { what })}</p>
      </ConfirmButton>
      <ConfirmButton
        {...question}
        label={t(`peopleHoldRelease${of}`)}
        title={t(`peopleHoldRelease${of}`)}
        confirm={t(`peopleHoldRelease${of}`)}
        before={before}
        onConfirm={() => put(false)}
      >
        <p>{t('peopleHoldReleaseText', { what })}</p>
      </ConfirmButton>
    </Actions>
  )
}

/** Places or releases a legal hold, with its reason. */
export const HoldForm = ({ sessionId, placed }: Props) => {
  const { t } = useLanguage()
  const { draft, acting, put, isOvertaken } = useHolding({ sessionId, placed })
  const [mine, setMine] = useState(draft.words)
  const theirs = { reason: placed?.legalHold?.reason ?? '' }
  const [missing, setMissing] = useState(false)
  const hasReason = () => {
    const lacks = draft.words.reason.trim() === ''
    setMissing(lacks)
    setMine(draft.words)
    return !lacks && sessionId !== ''
  }
  const of = sessionId === undefined ? 'Org' : 'Session'
  return (
    <form noValidate onSubmit={(event) => event.preventDefault()}>
      <LineField
        name="reason"
        label={t(`peopleHoldReason${of}`)}
        value={draft.words.reason}
        onChange={(reason) => draft.change({ reason })}
        error={missing ? t('peopleHoldReasonMissing') : acting.at('reason')}
        maxLength={1000}
      />
      {isOvertaken ? (
        <>
          <p role="status">{t(placed?.legalHold ? 'peopleHoldNowOn' : 'peopleHoldNowOff')}</p>
          <TheirValues
            met={{ mine, theirs }}
            words={draft.words}
            fields={[{ name: 'reason', label: t('peopleHoldReason') }]}
            onChange={draft.change}
          />
        </>
      ) : null}
      <Outcome of={acting} fields={['reason']} {...(isOvertaken && { conflict: t('attemptMeanwhile') })} />
      <HoldActs sessionId={sessionId} busy={acting.busy} before={hasReason} put={put} />
    </form>
  )
}
