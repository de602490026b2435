import { Actions, Button } from '@integrity/shared-ui/web/button'
import { Section } from '@integrity/shared-ui/web/section'
import { SendProblemNotice } from '@integrity/shared-ui/web/send-problem'
import { useLocale } from '@integrity/shared-ui/web/spoken'
import { useState } from 'react'
import { useDesk } from '../../parts/desk-context.ts'
import { useLanguage } from '../../parts/language.ts'
import { QrCode } from '../../parts/qr-code.tsx'
import { shortTime } from '../../parts/spans.ts'
import { useWrite } from '../../parts/use-write.ts'

interface Ticket {
  readonly joinCode: string
  readonly expiresAt: string
  readonly url: string
}

/** A code for whoever has no mail at hand. It is made on demand, and is on this page alone. */
export const JoinSection = ({ id }: { readonly id: string }) => {
  const { t } = useLanguage()
  const locale = useLocale()
  const { own } = useDesk()
  const [ticket, setTicket] = useState<Ticket>()
  const { busy, problem, write } = useWrite()
  const make = () =>
    write(async () =>
      setTicket((await own.call('portal.sessions.join', { params: { id }, body: { role: 'candidate' } })).data),
    )
  return (
    <Section title={t('interviewJoin')}>
      <p>{t('interviewJoinText')}</p>
      <div role="status">
        {ticket ? (
          <>
            <p className="lead">
              <code>{ticket.joinCode}</code>
            </p>
            <p>{t('interviewJoinUntil', { at: shortTime(ticket.expiresAt, locale) })}</p>
            <QrCode text={ticket.url} label={t('interviewJoinQr', { code: ticket.joinCode })} />
          </>
        ) : null}
      </div>
      <SendProblemNotice problem={problem} conflict={t('interviewConflict')} />
      <Actions>
        <Button busy={busy} onClick={make}>
          {t('interviewJoinMake')}
        </Button>
      </Actions>
    </Section>
  )
}
