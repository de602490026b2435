import { Actions, Button } from '@integrity/shared-ui/web/button'
import { Fact, Facts } from '@integrity/shared-ui/web/facts'
import { Section } from '@integrity/shared-ui/web/section'
import { SendProblemNotice } from '@integrity/shared-ui/web/send-problem'
import { useLocale } from '@integrity/shared-ui/web/spoken'
import type { ReadResult } from '../../data/desk-api.ts'
import { useDesk } from '../../parts/desk-context.ts'
import { useLanguage } from '../../parts/language.ts'
import { useWrite } from '../../parts/use-write.ts'
import { utcTime } from './times.ts'

type Storage = ReadResult<'portal.storage.get'>

/** What the latest look at the storage found, a sentence for each. */
const Checks = ({ checks }: Pick<Storage, 'checks'>) => {
  const { t } = useLanguage()
  if (checks.length === 0) return <p>{t('businessChecksNone')}</p>
  return (
    <ul>
      {checks.map(({ name, ok, message }) => (
        <li key={name}>
          {t(`businessCheck.${name}`)} {t(ok ? 'businessCheckWorks' : 'businessCheckFails')}{' '}
          {message ? <span lang="en">{message}</span> : null}
        </li>
      ))}
    </ul>
  )
}

const Where = ({ storage }: { readonly storage: Storage }) => {
  const { t } = useLanguage()
  const locale = useLocale()
  const { provider, endpoint, region, bucket, account, container, prefix, setAt, validatedAt } = storage
  const facts = [
    ['businessEndpoint', endpoint],
    ['businessRegion', region],
    ['businessBucket', bucket],
    ['businessAccount', account],
    ['businessContainer', container],
    ['businessPrefix', prefix],
  ] as const
  return (
    <Facts>
      <Fact name={t('businessProvider')}>{t(`businessProvider.${provider}`)}</Fact>
      {facts.map(([name, value]) =>
        value ? (
          <Fact key={name} name={t(name)}>
            <code>{value}</code>
          </Fact>
        ) : null,
      )}
      {setAt === null ? null : <Fact name={t('businessChosenAt')}>{utcTime(setAt, locale)} UTC</Fact>}
      <Fact name={t('businessWorkedAt')}>
        {validatedAt === null ? t('businessNever') : `${utcTime(validatedAt, locale)} UTC`}
      </Fact>
    </Facts>
  )
}

/** Where new objects go, and whether that works. */
export const StorageInUse = ({ storage }: { readonly storage: Storage }) => {
  const { t } = useLanguage()
  const { own, org } = useDesk()
  const { busy, problem, write } = useWrite('portal.storage.get')
  // It tries each provider patiently.
  const input = { params: { orgId: org.id }, timeoutMs: 120_000 }
  return (
    <Section title={t('businessInUse')}>
      <Where storage={storage} />
      <div role="status">
        <Checks checks={storage.checks} />
      </div>
      <SendProblemNotice problem={problem} />
      <Actions>
        <Button busy={busy} onClick={() => write(() => own.call('portal.storage.validate', input))}>
          {t(busy ? 'businessTrying' : 'businessTryStorage')}
        </Button>
      </Actions>
    </Section>
  )
}
