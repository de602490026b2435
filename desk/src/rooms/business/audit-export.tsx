import { IntegrityError } from '@integrity/client/errors'
import { saveFile } from '@integrity/shared-ui/browser/save-file'
import { readFile, type ServiceFile } from '@integrity/shared-ui/session/service-file'
import { Actions, Button } from '@integrity/shared-ui/web/button'
import { Section } from '@integrity/shared-ui/web/section'
import { SendProblemNotice } from '@integrity/shared-ui/web/send-problem'
import { useState } from 'react'
import { useDesk } from '../../parts/desk-context.ts'
import { useLanguage } from '../../parts/language.ts'
import { useWrite } from '../../parts/use-write.ts'
import { type AuditChoice, filtersOf } from './audit-query.ts'

/** Longer than a last line, whose checkpoint is the longest of it. */
const lastLineBytes = 16_384
const partRows = 50_000

/** Where the next part begins; null behind the last. Throws where the file has no last line: it broke off. */
const nextOf = async ({ blob }: ServiceFile): Promise<number | null> => {
  const lines = (await blob.slice(-lastLineBytes).text()).trimEnd().split('\n')
  try {
    const end = JSON.parse(lines.at(-1) ?? '') as { type?: string; nextAfterSeq?: number | null }
    if (end.type === 'end') return end.nextAfterSeq ?? null
  } catch {
    // Half a line: the same as none.
  }
  throw new IntegrityError({ code: 'no_answer', message: 'the export broke off' })
}

interface Saved {
  readonly parts: number
  readonly next: number | null
}

/** The audit trail as files of lines, a part at a time, each with a signed checkpoint at its end. */
export const AuditExport = ({ choice }: { readonly choice: AuditChoice }) => {
  const { t } = useLanguage()
  const { own, org } = useDesk()
  const { busy, problem, write } = useWrite()
  const [saved, setSaved] = useState<Saved>({ parts: 0, next: 0 })
  const save = async (afterSeq: number, part: number) => {
    const query = { ...filtersOf(choice), afterSeq, limit: partRows }
    const answer = await own.call('portal.auditLogs.export', { params: { orgId: org.id }, query, timeoutMs: 300_000 })
    const file = await readFile(answer, 'application/x-ndjson')
    const next = await nextOf(file)
    saveFile({ ...file, name: `audit-${org.slug}-${part}.ndjson` })
    setSaved({ parts: part, next })
  }
  const { parts, next } = saved
  return (
    <Section title={t('businessExportTitle')}>
      <p>{t('businessExportText')}</p>
      {choice.person === '' ? null : <p>{t('businessExportPerson')}</p>}
      <SendProblemNotice problem={problem} />
      <p role="status">
        {parts === 0 ? null : t(next === null ? 'businessExportDone' : 'businessExportMore', { parts })}
      </p>
      <Actions>
        <Button busy={busy} onClick={() => write(() => save(next ?? 0, next === null ? 1 : parts + 1))}>
          {t(busy ? 'businessExporting' : parts > 0 && next !== null ? 'businessExportNext' : 'businessExport')}
        </Button>
      </Actions>
    </Section>
  )
}
