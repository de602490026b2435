import { readFile } from '@integrity/shared-ui/session/service-file'
import { Actions, Button } from '@integrity/shared-ui/web/button'
import { Section } from '@integrity/shared-ui/web/section'
import { SelectField } from '@integrity/shared-ui/web/select-field'
import { SendProblemNotice } from '@integrity/shared-ui/web/send-problem'
import { useState } from 'react'
import { useDesk } from '../../parts/desk-context.ts'
import { useLanguage } from '../../parts/language.ts'
import { useWrite } from '../../parts/use-write.ts'
import type { ComparedReport } from './report-difference.ts'
import { RevisionsDifference } from './revisions-difference.tsx'

interface Props {
  readonly id: string
  /** The newest that was signed. */
  readonly revision: number
}

/** What was read of two revisions. `to`: 0 is what is known now. */
interface Compared {
  readonly before: ComparedReport
  readonly after: ComparedReport
}

const useComparing = (id: string) => {
  const { own } = useDesk()
  const { busy, problem, write } = useWrite()
  const [compared, setCompared] = useState<Compared>()
  const read = async (revision: number): Promise<ComparedReport> => {
    const input = { params: { id }, query: { format: 'json', revision }, timeoutMs: 120_000 } as const
    const { blob } = await readFile(await own.call('portal.report.export', input), 'application/json')
    return JSON.parse(await blob.text()) as ComparedReport
  }
  const compare = (from: number, to: number) =>
    write(async () => setCompared({ before: await read(from), after: await read(to) }))
  return { busy, problem, compared, compare, forget: () => setCompared(undefined) }
}

/** What changed from one signed revision to another, or to what is known now. */
export const RevisionsSection = ({ id, revision }: Props) => {
  const { t } = useLanguage()
  const { busy, problem, compared, compare, forget } = useComparing(id)
  const [from, setFrom] = useState(String(revision > 1 ? revision - 1 : revision))
  const [to, setTo] = useState(revision > 1 ? String(revision) : '0')
  const signed = Array.from({ length: revision }, (_, n) => String(n + 1))
  const options = signed.map((one) => ({ id: one, label: t('revisionsOne', { revision: one }) }))
  const choose = (set: (one: string) => void) => (one: string) => {
    forget()
    set(one)
  }
  return (
    <Section title={t('revisionsTitle')}>
      <p>{t('revisionsText')}</p>
      <div className="filters">
        <SelectField label={t('revisionsFrom')} value={from} options={options} onChange={choose(setFrom)} />
        <SelectField
          label={t('revisionsTo')}
          value={to}
          options={[...options, { id: '0', label: t('revisionsNow') }]}
          onChange={choose(setTo)}
        />
      </div>
      <SendProblemNotice problem={problem} />
      <Actions>
        <Button busy={busy} onClick={() => compare(Number(from), Number(to))}>
          {t('revisionsCompare')}
        </Button>
      </Actions>
      <div role="status">{compared ? <RevisionsDifference {...compared} /> : null}</div>
    </Section>
  )
}
