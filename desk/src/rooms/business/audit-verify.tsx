import { Actions, Button } from '@integrity/shared-ui/web/button'
import { Fact, Facts } from '@integrity/shared-ui/web/facts'
import { Section } from '@integrity/shared-ui/web/section'
import { SendProblemNotice } from '@integrity/shared-ui/web/send-problem'
import { Notice } from '@integrity/shared-ui/web/shell'
import { useState } from 'react'
import type { ReadResult } from '../../data/desk-api.ts'
import { useDesk } from '../../parts/desk-context.ts'
import { useLanguage } from '../../parts/language.ts'
import { useWrite } from '../../parts/use-write.ts'

type Report = ReadResult<'portal.auditLogs.verify'>

const Findings = ({ report }: { readonly report: Report }) => {
  const { t } = useLanguage()
  const { ok, rows, head, firstBad, checkpoint, verifierKey } = report
  return (
    <>
      <Notice kind={ok ? 'info' : 'attention'}>
        {t(ok ? 'businessVerified' : 'businessNotVerified', { rows })}{' '}
        {firstBad ? `${t('businessFirstBad', { seq: firstBad.seq })} ${t(`businessFault.${firstBad.reason}`)}` : null}
      </Notice>
      <Facts>
        <Fact name={t('businessHead')}>
          {head.seq} <code>{head.hash}</code>
        </Fact>
        <Fact name={t('businessVerifierKey')}>
          <code>{verifierKey}</code>
        </Fact>
      </Facts>
      {checkpoint ? (
        <details>
          <summary>{t('businessCheckpoint')}</summary>
          <pre>{checkpoint}</pre>
        </details>
      ) : null}
    </>
  )
}

/** Has the service compute the whole chain again, and says what it found. */
export const AuditVerify = () => {
  const { t } = useLanguage()
  const { own, org } = useDesk()
  const { busy, problem, write } = useWrite()
  const [report, setReport] = useState<Report>()
  const verify = async () => {
    setReport(undefined)
    // Millions of rows take a while.
    const input = { params: { orgId: org.id }, timeoutMs: 300_000 }
    setReport((await own.call('portal.auditLogs.verify', input)).data)
  }
  return (
    <Section title={t('businessVerifyTitle')}>
      <p>{t('businessVerifyText')}</p>
      <SendProblemNotice problem={problem} />
      <div role="status">{report ? <Findings report={report} /> : null}</div>
      <Actions>
        <Button busy={busy} onClick={() => write(verify)}>
          {t(busy ? 'businessVerifying' : 'businessVerify')}
        </Button>
      </Actions>
    </Section>
  )
}
