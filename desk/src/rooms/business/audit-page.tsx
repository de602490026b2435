import { Page } from '@integrity/shared-ui/web/shell'
import type { ListQuery } from '../../data/route.ts'
import { useDesk } from '../../parts/desk-context.ts'
import { useLanguage } from '../../parts/language.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Pager } from '../../parts/pager.tsx'
import type { SectionProps } from '../../parts/section-props.ts'
import { useEndpoint } from '../../parts/use-endpoint.ts'
import { AuditExport } from './audit-export.tsx'
import { AuditFilters } from './audit-filters.tsx'
import { choiceOf, filtersOf } from './audit-query.ts'
import { AuditTable } from './audit-table.tsx'
import { AuditVerify } from './audit-verify.tsx'

/** What happened in the organisation, in words: narrowed, taken away, and checked. */
export const AuditPage = ({ query }: SectionProps) => {
  const { t, language } = useLanguage()
  const { org, navigation } = useDesk()
  const choice = choiceOf(query)
  const person = choice.person === '' ? {} : { userId: choice.person }
  const logs = useEndpoint('portal.auditLogs.list', {
    params: { orgId: org.id },
    query: { ...filtersOf(choice), ...person, texts: language.code, limit: 50, cursor: query['cursor'] },
  })
  const at = (to: ListQuery) => ({ room: 'organisation', org: org.slug, section: 'audit', query: to }) as const
  const narrowed = Object.values(choice).some((value) => value !== '')
  return (
    <Page title={t('businessAudit')} wide>
      <p>{t('businessAuditText')}</p>
      <AuditFilters key={JSON.stringify(choice)} choice={choice} onChoose={(to) => navigation.go(at(to))} />
      <Loaded question={logs}>
        {({ items, total, totalIsExact, nextCursor }) =>
          total === 0 ? (
            <p>{t(narrowed ? 'businessAuditNoneFits' : 'businessAuditNone')}</p>
          ) : (
            <>
              <AuditTable items={items} />
              {totalIsExact ? null : <p>{t('businessAuditMany', { total })}</p>}
              <Pager
                shown={items.length}
                total={total}
                first={query['cursor'] === undefined ? undefined : at(choice)}
                next={nextCursor === null ? undefined : at({ ...choice, cursor: nextCursor })}
              />
            </>
          )
        }
      </Loaded>
      <AuditVerify />
      <AuditExport key={`export ${JSON.stringify(choice)}`} choice={choice} />
    </Page>
  )
}
