import { Actions, Button } from '@integrity/shared-ui/web/button'
import { Section } from '@integrity/shared-ui/web/section'
import { useLocale } from '@integrity/shared-ui/web/spoken'
import { AnsweredRequests } from '../../../parts/answered-requests.tsx'
import { useDesk } from '../../../parts/desk-context.ts'
import { useLanguage } from '../../../parts/language.ts'
import { Loaded } from '../../../parts/loaded.tsx'
import { shortTime } from '../../../parts/spans.ts'
import { useEndpoint } from '../../../parts/use-endpoint.ts'

/** What the identity provider asked for last, and with which result. */
export const CallsSection = () => {
  const { t } = useLanguage()
  const locale = useLocale()
  const { org } = useDesk()
  const calls = useEndpoint('portal.scim.calls', { params: { orgId: org.id } })
  return (
    <Section title={t('connectionsCalls')}>
      <p>{t('connectionsCallsText')}</p>
      <Loaded question={calls}>
        {({ items, lastUsedAt }) => (
          <>
            <p>
              {lastUsedAt === null
                ? t('connectionsNoCalls')
                : t('connectionsCalledLast', { at: shortTime(lastUsedAt, locale) })}
            </p>
            {items.length === 0 ? null : <AnsweredRequests title={t('connectionsCalls')} items={items} />}
          </>
        )}
      </Loaded>
      <Actions>
        <Button onClick={calls.again}>{t('connectionsCallsAgain')}</Button>
      </Actions>
    </Section>
  )
}
