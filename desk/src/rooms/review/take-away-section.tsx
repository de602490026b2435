import { saveFile } from '@integrity/shared-ui/browser/save-file'
import { readFile } from '@integrity/shared-ui/session/service-file'
import { Actions, Button } from '@integrity/shared-ui/web/button'
import { Section } from '@integrity/shared-ui/web/section'
import { SendProblemNotice } from '@integrity/shared-ui/web/send-problem'
import { useDesk, useMay } from '../../parts/desk-context.ts'
import { useLanguage } from '../../parts/language.ts'
import { useWrite } from '../../parts/use-write.ts'
import { FilmPart } from './film-part.tsx'

const formats = [
  { format: 'pdf', type: 'application/pdf', label: 'asPdf' },
  { format: 'json', type: 'application/json', label: 'asJson' },
] as const

/** The report as a file: what was signed, or what there is so far. */
const ReportFiles = ({ id }: { readonly id: string }) => {
  const { t } = useLanguage()
  const { own } = useDesk()
  const { busy, problem, write } = useWrite()
  const save = async ({ format, type }: (typeof formats)[number]) => {
    // A long report is drawn for seconds before its first byte.
    const input = { params: { id }, query: { format }, timeoutMs: 120_000 }
    saveFile(await readFile(await own.call('portal.report.export', input), type))
  }
  return (
    <>
      <p>{t('takeAwayText')}</p>
      <SendProblemNotice problem={problem} />
      <Actions>
        {formats.map((one) => (
          <Button key={one.format} busy={busy} onClick={() => write(() => save(one))}>
            {t(one.label)}
          </Button>
        ))}
      </Actions>
    </>
  )
}

/** Everything of an interview: as one file that checks itself, as data, and as a film. The browser saves them, whatever their size. */
const WholeInterview = ({ id }: { readonly id: string }) => {
  const { t } = useLanguage()
  const { fileAddress } = useDesk()
  return (
    <>
      <p>{t('takeAwayWholeText')}</p>
      <ul>
        <li>
          <a href={fileAddress('portal.sessions.bundle', { params: { id } })} download>
            {t('takeAwayBundle')}
          </a>
        </li>
        <li>
          <a href={fileAddress('portal.sessions.export', { params: { id } })} download>
            {t('takeAwayExport')}
          </a>
        </li>
      </ul>
    </>
  )
}

/** What of an interview a person may take along. Each download is in the access log. */
export const TakeAwaySection = ({ id }: { readonly id: string }) => {
  const { t } = useLanguage()
  const [exportsReport, exportsAll, seesFilm] = [
    useMay('report.export'),
    useMay('evidence.export'),
    useMay('composition.view'),
  ]
  if (!exportsReport && !exportsAll && !seesFilm) return null
  return (
    <Section title={t('takeAway')}>
      {exportsReport ? <ReportFiles id={id} /> : null}
      {exportsAll ? <WholeInterview id={id} /> : null}
      {seesFilm ? <FilmPart id={id} mayExport={exportsAll} /> : null}
    </Section>
  )
}
