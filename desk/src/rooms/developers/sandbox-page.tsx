import { Section } from '@integrity/shared-ui/web/section'
import { Page } from '@integrity/shared-ui/web/shell'
import { useLocale } from '@integrity/shared-ui/web/spoken'
import type { ListQuery } from '../../data/route.ts'
import { useDesk, useMay } from '../../parts/desk-context.ts'
import { useLanguage } from '../../parts/language.ts'
import { Link } from '../../parts/link.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Pager } from '../../parts/pager.tsx'
import { shortTime } from '../../parts/spans.ts'
import { useEndpoint } from '../../parts/use-endpoint.ts'
import { SandboxForm } from './sandbox-form.tsx'
import { SimulationPage } from './simulation-page.tsx'

const PlayedList = ({ query: { cursor } }: { readonly query: ListQuery }) => {
  const { t } = useLanguage()
  const locale = useLocale()
  const { org } = useDesk()
  const query = { limit: 20, sandbox: 'true', cursor } as const
  const sessions = useEndpoint('portal.sessions.list', { params: { orgId: org.id }, query })
  const at = (to: ListQuery, id?: string) =>
    ({ room: 'developers', org: org.slug, section: 'sandbox', id, query: to }) as const
  return (
    <Section title={t('developersSandboxList')}>
      <Loaded question={sessions}>
        {({ items, total, nextCursor }) =>
          total === 0 ? (
            <p>{t('developersSandboxNone')}</p>
          ) : (
            <>
              <ul className="plain rows">
                {items.map(({ id, candidateLabel, createdAt, state }) => (
                  <li key={id}>
                    <Link to={at({}, id)}>{candidateLabel ?? t('unnamed')}</Link>
                    <span className="small">
                      {shortTime(createdAt, locale)}, {t(`state.${state}`)}
                    </span>
                  </li>
                ))}
              </ul>
              <Pager
                shown={items.length}
                total={total}
                first={cursor === undefined ? undefined : at({})}
                next={nextCursor === null ? undefined : at({ cursor: nextCursor })}
              />
            </>
          )
        }
      </Loaded>
    </Section>
  )
}

interface Props {
  readonly id?: string | undefined
  readonly query: ListQuery
}

/** Interviews that nobody has: started here, and watched. */
export const SandboxPage = ({ id, query }: Props) => {
  const { t } = useLanguage()
  const mayPlay = [useMay('session.create'), useMay('session.manage')].every(Boolean)
  if (id !== undefined) return <SimulationPage key={id} id={id} />
  return (
    <Page title={t('developersSandbox')} wide>
      <p>{t('developersSandboxText')}</p>
      {mayPlay ? <SandboxForm /> : null}
      <PlayedList query={query} />
    </Page>
  )
}
