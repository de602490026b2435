import { useSending } from '@integrity/shared-ui/hooks/use-sending'
import { dayAndTime } from '@integrity/shared-ui/session/appointment-times'
import { Actions, Button } from '@integrity/shared-ui/web/button'
import { Section } from '@integrity/shared-ui/web/section'
import { SendProblemNotice } from '@integrity/shared-ui/web/send-problem'
import { useLocale } from '@integrity/shared-ui/web/spoken'
import { useRef, useState } from 'react'
import { copyText, openApplication } from '../../browser/open-application.ts'
import { opensAt, type ReadinessStep, type Ticket } from '../../session/invitation-api.ts'
import type { InvitedProps } from './invited-props.ts'
import { useLanguage } from './language.ts'
import { useOpenNow } from './use-open-now.ts'
import type { Readiness } from './use-readiness.ts'

interface TakenTicket extends Ticket {
  /** By the service's clock, epoch milliseconds. */
  readonly takenAt: number
}

/** The clocks of an answer's header and of a row differ by less. */
const clocksMs = 3_000

/** Whether the application has come with a code since this one was taken. */
const isUsed = (steps: readonly ReadinessStep[] | undefined, { takenAt }: TakenTicket): boolean =>
  (steps ?? []).some(({ step, at }) => step === 'joined' && at !== null && Date.parse(at) >= takenAt - clocksMs)

/** The code, large enough to be typed from, and what to do when nothing opens. */
const Code = ({ ticket, server }: { readonly ticket: Ticket; readonly server: string }) => {
  const { t } = useLanguage()
  const locale = useLocale()
  const code = useRef<HTMLElement>(null)
  const [copied, setCopied] = useState<'copied' | 'selected'>()
  const copy = async () => {
    if (code.current) setCopied(await copyText(code.current))
  }
  return (
    <>
      <h3>{t('codeTitle')}</h3>
      <p>
        <code ref={code} className="code" dir="ltr">
          {ticket.joinCode}
        </code>
      </p>
      <Actions>
        <Button kind="main" onClick={() => openApplication(ticket.url)}>
          {t('openAgain')}
        </Button>
        <Button onClick={() => void copy()}>{t('codeCopy')}</Button>
      </Actions>
      <div role="status">{copied ? <p>{t(copied === 'copied' ? 'codeCopied' : 'codeSelected')}</p> : null}</div>
      <p>{t('codeUntil', { until: dayAndTime(ticket.expiresAt, locale) })}</p>
      <p>{t('codeNothing')}</p>
      <p>
        {t('codeServer')} <code dir="ltr">{server}</code>
      </p>
    </>
  )
}

interface OpenProps extends InvitedProps {
  readonly readiness: Readiness
}

/** Takes a code when the button is pressed, never before, and opens the application with it. */
const TakeCode = ({ invitation: { call, visit, baseUrl, time }, readiness }: OpenProps) => {
  const { t } = useLanguage()
  const { busy, problem, send } = useSending({
    endedBy: (error) => visit.endedBy(error),
    onConflict: () => void visit.refresh(),
  })
  const [ticket, setTicket] = useState<TakenTicket>()
  const take = async () => {
    const taken = await call.ask('invitations.ticket', {})
    setTicket({ ...taken, takenAt: time.now() })
    openApplication(taken.url)
    readiness.askNow()
  }
  const used = ticket !== undefined && isUsed(readiness.steps, ticket)
  return (
    <>
      {used ? null : <p>{t(ticket ? 'openTaken' : 'openText')}</p>}
      <div role="status">
        {ticket && !used ? <span className="unseen">{`${t('codeTitle')}: ${ticket.joinCode}`}</span> : null}
        {used ? <p>{t('codeUsed')}</p> : null}
      </div>
      {ticket && !used ? <Code ticket={ticket} server={baseUrl} /> : null}
      <SendProblemNotice problem={problem} conflict={t('codeConflict')} tooMany={t('codeTooMany')} />
      <Actions>
        <Button kind={ticket ? undefined : 'main'} busy={busy} onClick={() => send(take)}>
          {t(ticket ? 'codeNew' : 'open')}
        </Button>
      </Actions>
    </>
  )
}

/** Before its time, when that is; then the button, which is announced. */
export const OpenSection = (props: OpenProps) => {
  const { t } = useLanguage()
  const locale = useLocale()
  const at = opensAt(props.facts)
  const now = useOpenNow(props.invitation, at)
  const [waited, setWaited] = useState(!now)
  if (!now && !waited) setWaited(true)
  return (
    <Section title={t('openTitle')} card>
      <div role="status">{now && waited ? <p>{t('openNews')}</p> : null}</div>
      {now || at === undefined ? (
        <TakeCode {...props} />
      ) : (
        <>
          <p>
            <strong>{t('openFrom', { at: dayAndTime(new Date(at).toISOString(), locale) })}</strong>
          </p>
          <p>{t('openMeanwhile')}</p>
        </>
      )}
    </Section>
  )
}
