import { useDraft } from '@integrity/shared-ui/hooks/use-draft'
import { Actions } from '@integrity/shared-ui/web/button'
import { ConfirmButton } from '@integrity/shared-ui/web/confirm-button'
import { LineField } from '@integrity/shared-ui/web/fields'
import { type ReactNode, useState } from 'react'
import { useDesk } from '../../parts/desk-context.ts'
import { Outcome } from '../../parts/outcome.tsx'
import { useAttempt } from '../../parts/use-attempt.ts'
import { useSeen } from '../../parts/use-seen.ts'
import { useLanguage } from './people-language.tsx'

interface Props {
  /** Undefined for the whole organisation. */
  readonly sessionId: string | undefined
  /** Of the organisation's hold, for whoever may see it. */
  readonly version?: number | undefined
  /** Above the reason. */
  readonly children?: ReactNode
}

const useHolding = ({ sessionId, version }: Omit<Props, 'children'>) => {
  const { own, org, person, pageMemory } = useDesk()
  const { t } = useLanguage()
  const of = sessionId === undefined ? 'org' : 'session'
  const seen = useSeen(version)
  const draft = useDraft(`hold ${person.user.id} ${org.id} ${of}`, { reason: '' }, pageMemory)
  const acting = useAttempt(
    'portal.retention.get',
    'portal.retention.preview',
    'portal.auditLogs.list',
    'sessions.detail',
  )
  const put = (on: boolean) =>
    acting.attempt(async () => {
      const reason = draft.words.reason.trim()
      const body = { on, ...(reason === '' ? {} : { reason }) }
      const { expected: expectedVersion } = seen
      const whole = { ...body, ...(expectedVersion === undefined ? {} : { expectedVersion }) }
      if (sessionId === undefined)
        await seen.guard(own.call('portal.retention.hold', { params: { orgId: org.id }, body: whole }))
      else await own.call('portal.retention.sessions.hold', { params: { orgId: org.id, sessionId }, body })
      draft.clear()
      return t(on ? 'peopleHoldIsOn' : 'peopleHoldIsOff')
    })
  return { draft, acting, put, isOvertaken: seen.isOvertaken }
}

/** Places or releases a legal hold, with its reason. */
export const HoldForm = ({ sessionId, version, children }: Props) => {
  const { t } = useLanguage()
  const { draft, acting, put, isOvertaken } = useHolding({ sessionId, version })
  const [missing, setMissing] = useState(false)
  const hasReason = () => {
    const lacks = draft.words.reason.trim() === ''
    setMissing(lacks)
    return !lacks && sessionId !== ''
  }
  const what = sessionId ?? t('peopleWholeOrg')
  const question = { cancel: t('cancel'), busy: acting.busy }
  const of = sessionId === undefined ? 'Org' : 'Session'
  return (
    <form noValidate onSubmit={(event) => event.preventDefault()}>
      {children}
      <LineField
        name="reason"
        label={t(`peopleHoldReason${of}`)}
        value={draft.words.reason}
        onChange={(reason) => draft.change({ reason })}
        error={missing ? t('peopleHoldReasonMissing') : acting.at('reason')}
        maxLength={1000}
      />
      <Outcome of={acting} fields={['reason']} {...(isOvertaken && { conflict: t('peopleHoldOvertaken') })} />
      <Actions>
        <ConfirmButton
          {...question}
          label={t(`peopleHoldPlace${of}`)}
          title={t(`peopleHoldPlace${of}`)}
          confirm={t(`peopleHoldPlace${of}`)}
          before={hasReason}
          onConfirm={() => put(true)}
        >
          <p>{t('peopleHoldPlaceText', { what })}</p>
        </ConfirmButton>
        <ConfirmButton
          {...question}
          label={t(`peopleHoldRelease${of}`)}
          title={t(`peopleHoldRelease${of}`)}
          confirm={t(`peopleHoldRelease${of}`)}
          before={hasReason}
          onConfirm={() => put(false)}
        >
          <p>{t('peopleHoldReleaseText', { what })}</p>
        </ConfirmButton>
      </Actions>
    </form>
  )
}
