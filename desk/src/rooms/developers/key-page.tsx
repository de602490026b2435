import { Actions } from '@integrity/shared-ui/web/button'
import { ConfirmButton } from '@integrity/shared-ui/web/confirm-button'
import { Fact, Facts } from '@integrity/shared-ui/web/facts'
import { Page } from '@integrity/shared-ui/web/shell'
import { useLocale } from '@integrity/shared-ui/web/spoken'
import { useState } from 'react'
import { useDesk } from '../../parts/desk-context.ts'
import { useLanguage } from '../../parts/language.ts'
import { Link } from '../../parts/link.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Outcome } from '../../parts/outcome.tsx'
import { shortTime } from '../../parts/spans.ts'
import { useAttempt } from '../../parts/use-attempt.ts'
import { useEndpoint } from '../../parts/use-endpoint.ts'
import { KeyRequests } from './key-requests.tsx'
import { SampleView } from './sample-view.tsx'
import { type Key, scopeTexts } from './scopes.ts'
import { ShownSecret } from './shown-secret.tsx'

const KeyFacts = ({ item }: { readonly item: Key }) => {
  const { t } = useLanguage()
  const locale = useLocale()
  return (
    <Facts>
      <Fact name={t('developersKeyLabel')}>{item.label}</Fact>
      <Fact name={t('developersKeyBegins')}>
        <code dir="ltr">{item.prefix}…</code>
      </Fact>
      <Fact name={t('developersEnvironment')}>{t(`environment.${item.environment}`)}</Fact>
      <Fact name={t('developersScopes')}>{item.scopes.map((scope) => t(scopeTexts[scope])).join(' ')}</Fact>
      <Fact name={t('factCreated')}>{shortTime(item.createdAt, locale)}</Fact>
      <Fact name={t('developersKeyUsed')}>
        {item.lastUsedAt ? shortTime(item.lastUsedAt, locale) : t('developersKeyUnused')}
      </Fact>
      {item.rotatedAt === null ? null : (
        <Fact name={t('developersKeyRotated')}>{shortTime(item.rotatedAt, locale)}</Fact>
      )}
    </Facts>
  )
}

/** What can be done to a key, each behind a question. */
const KeyActs = ({ item }: { readonly item: Key }) => {
  const { t } = useLanguage()
  const { own, org, navigation } = useDesk()
  const [secret, setSecret] = useState<string>()
  const form = useAttempt('portal.apiKeys.list')
  const params = { orgId: org.id, keyId: item.id }
  const rotate = () =>
    form.attempt(async () => {
      setSecret((await own.call('portal.apiKeys.rotate', { params })).data.token)
    })
  const revoke = () =>
    form.attempt(async () => {
      await own.call('portal.apiKeys.revoke', { params })
      navigation.go({ room: 'developers', org: org.slug, section: 'keys', query: {} })
    })
  const asked = { busy: form.busy, cancel: t('developersCancel'), confirmKind: 'stop' } as const
  return (
    <>
      {secret === undefined ? null : (
        <ShownSecret
          label={t('developersKeyShown', { of: item.label })}
          text={t('developersKeyShownText')}
          secret={secret}
          onDone={() => setSecret(undefined)}
        >
          <details>
            <summary>{t('developersTryIt')}</summary>
            <SampleView apiKey={secret} />
          </details>
        </ShownSecret>
      )}
      <Outcome of={form} />
      <Actions>
        <ConfirmButton
          label={t('developersKeyRotate')}
          title={t('developersKeyRotateTitle', { of: item.label })}
          confirm={t('developersKeyRotateYes')}
          {...asked}
          onConfirm={rotate}
        >
          <p>{t('developersKeyRotateText')}</p>
        </ConfirmButton>
        <ConfirmButton
          kind="stop"
          label={t('developersKeyRevoke')}
          title={t('developersKeyRevokeTitle', { of: item.label })}
          confirm={t('developersKeyRevokeYes')}
          {...asked}
          onConfirm={revoke}
        >
          <p>{t('developersKeyRevokeText')}</p>
        </ConfirmButton>
      </Actions>
    </>
  )
}

/** One key that works. Those of an organisation that work are one page of the list. */
export const KeyPage = ({ id }: { readonly id: string }) => {
  const { t } = useLanguage()
  const { org } = useDesk()
  const query = { limit: 100, status: 'active' } as const
  const keys = useEndpoint('portal.apiKeys.list', { params: { orgId: org.id }, query })
  return (
    <Page title={t('developersKeyTitle')} wide>
      <p>
        <Link to={{ room: 'developers', org: org.slug, section: 'keys', query: {} }}>{t('developersKeysAll')}</Link>
      </p>
      <Loaded question={keys}>
        {({ items }) => {
          const item = items.find((one) => one.id === id)
          return item ? (
            <>
              <KeyFacts item={item} />
              <KeyActs item={item} />
              <KeyRequests id={item.id} />
            </>
          ) : (
            <p>{t('developersKeyGone')}</p>
          )
        }}
      </Loaded>
    </Page>
  )
}
