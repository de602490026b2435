import { saveFile } from '@integrity/shared-ui/browser/save-file'
import { readFile } from '@integrity/shared-ui/session/service-file'
import { Actions, Button } from '@integrity/shared-ui/web/button'
import { Section } from '@integrity/shared-ui/web/section'
import { SendProblemNotice } from '@integrity/shared-ui/web/send-problem'
import { Page } from '@integrity/shared-ui/web/shell'
import { useLocale } from '@integrity/shared-ui/web/spoken'
import type { ReadResult } from '../../data/desk-api.ts'
import { useDesk, useMay } from '../../parts/desk-context.ts'
import { useLanguage } from '../../parts/language.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { useEndpoint } from '../../parts/use-endpoint.ts'
import { useWrite } from '../../parts/use-write.ts'
import { ReviewSettings } from './review-settings.tsx'
import { StatementSettings } from './statement-settings.tsx'
import { utcTime } from './times.ts'

type Statement = ReadResult<'portal.compliance.sentences'>

const formats = [
  { format: 'pdf', type: 'application/pdf', label: 'statementPdf' },
  { format: 'json', type: 'application/json', label: 'statementJson' },
] as const

/** The same, signed, to be handed on. Each download is in the audit trail. */
const StatementFiles = ({ locale }: { readonly locale: string }) => {
  const { t } = useLanguage()
  const { own, org } = useDesk()
  const { busy, problem, write } = useWrite('portal.compliance.sentences')
  const save = async ({ format, type }: (typeof formats)[number]) => {
    const input = { params: { orgId: org.id }, query: { format, locale }, timeoutMs: 120_000 }
    saveFile(await readFile(await own.call('portal.compliance.statement', input), type))
  }
  return (
    <>
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

const Sentences = ({ sentences, locale }: Statement) => {
  const { t } = useLanguage()
  return [...Map.groupBy(sentences, ({ section }) => section)].map(([section, said]) => (
    <Section key={section} title={t(`statementPart.${section}`)}>
      <ul>
        {said.map(({ text, heldBy }, n) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two policies may say the same
          <li key={n}>
            <span lang={locale}>{text}</span>
            <details className="small">
              <summary>{t('statementHeld', { name: heldBy.name })}</summary>
              <p lang="en">
                {heldBy.file}: {heldBy.test}
              </p>
            </details>
          </li>
        ))}
      </ul>
    </Section>
  ))
}

/** What works councils and data protection officers ask for, as it is now, and the settings that it names. */
export const StatementPage = () => {
  const { t, language } = useLanguage()
  const locale = useLocale()
  const { org } = useDesk()
  const manages = useMay('org.manage')
  const params = { orgId: org.id }
  const statement = useEndpoint('portal.compliance.sentences', { params, query: { locale: language.code } })
  return (
    <Page title={t('statementSection')} wide>
      <p>{t('statementText', { org: org.name })}</p>
      <StatementFiles locale={language.code} />
      {manages ? <StatementSettings /> : null}
      {manages ? <ReviewSettings /> : null}
      <Loaded question={statement}>
        {(data) => (
          <>
            <p className="small">
              {data.changedAt === null
                ? t('statementFirst')
                : t('statementNumber', { number: data.number, at: utcTime(data.changedAt, locale) })}
            </p>
            <Sentences {...data} />
          </>
        )}
      </Loaded>
    </Page>
  )
}
