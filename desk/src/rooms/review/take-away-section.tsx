import { saveFile } from '@integrity/shared-ui/browser/save-file'
import { readFile } from '@integrity/shared-ui/session/service-file'
import { Actions, Button } from '@integrity/shared-ui/web/button'
import { Section } from '@integrity/shared-ui/web/section'
import { SendProblemNotice } from '@integrity/shared-ui/web/send-problem'
import { useDesk } from '../../parts/desk-context.ts'
import { useLanguage } from '../../parts/language.ts'
import { useWrite } from '../../parts/use-write.ts'

const formats = [
  { format: 'pdf', type: 'application/pdf', label: 'asPdf' },
  { format: 'json', type: 'application/json', label: 'asJson' },
] as const

/** The report as a file: what was signed, or what there is so far. */
export const TakeAwaySection = ({ id }: { readonly id: string }) => {
  const { t } = useLanguage()
  const { own } = useDesk()
  const { busy, problem, write } = useWrite()
  const save = async ({ format, type }: (typeof formats)[number]) => {
    // A long report is drawn for seconds before its first byte.
    const input = { params: { id }, query: { format }, timeoutMs: 120_000 }
    saveFile(await readFile(await own.call('portal.report.export', input), type))
  }
  return (
    <Section title={t('takeAway')}>
      <p>{t('takeAwayText')}</p>
      <SendProblemNotice problem={problem} />
      <Actions>
        {formats.map((one) => (
          <Button key={one.format} busy={busy} onClick={() => write(() => save(one))}>
            {t(one.label)}
          </Button>
        ))}
      </Actions>
    </Section>
  )
}
