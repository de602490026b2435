import type { ListQuery } from '../../data/route.ts'
import { useDesk } from '../../parts/desk-context.ts'
import { Link } from '../../parts/link.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { useEndpoint } from '../../parts/use-endpoint.ts'
import { peopleAt } from './people.ts'
import { useLanguage } from './people-language.tsx'

const useHundred = (cursor: string | undefined) => {
  const { org } = useDesk()
  return useEndpoint('portal.sessions.list', {
    params: { orgId: org.id },
    query: { limit: 100, ...(cursor ? { cursor } : {}) },
  })
}

/** Those of the newest interviews that were made with the policy. */
export const useUses = (policyId: string, cursor?: string) => {
  const { state } = useHundred(cursor)
  return state.name === 'there' ? state.data.items.filter(({ policy }) => policy?.id === policyId) : []
}

interface Props {
  readonly policyId: string
  readonly query: ListQuery
}

/** Which interviews use the policy, and which version of it: the service cannot be asked for them alone, so a hundred at a time. */
export const PolicyInterviews = ({ policyId, query }: Props) => {
  const { t } = useLanguage()
  const { org } = useDesk()
  const { uses: cursor, ...others } = query
  const hundred = useHundred(cursor)
  const uses = useUses(policyId, cursor)
  const at = (more: ListQuery) => peopleAt(org, 'policies', policyId, { ...others, ...more })
  return (
    <Loaded question={hundred}>
      {({ items, total, nextCursor }) => (
        <>
          <p>
            {t(cursor === undefined ? 'peopleUsesOf' : 'peopleUsesEarlier', {
              n: uses.length,
              shown: items.length,
              total,
            })}
          </p>
          <ul className="plain rows">
            {uses.map(({ id, candidateLabel, state, policy }) => (
              <li key={id}>
                <Link to={{ room: 'interview', org: org.slug, id }}>{candidateLabel ?? t('unnamed')}</Link>
                <span className="small">
                  {t(`state.${state}`)} · {t('peopleVersion', { n: policy?.version ?? 1 })}
                </span>
              </li>
            ))}
          </ul>
          <p className="pager">
            {cursor === undefined ? null : <Link to={at({})}>{t('firstPage')}</Link>}
            {nextCursor === null ? null : <Link to={at({ uses: nextCursor })}>{t('peopleUsesMore')}</Link>}
          </p>
        </>
      )}
    </Loaded>
  )
}
