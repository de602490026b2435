import { useDesk } from '../../parts/desk-context.ts'
import { Link } from '../../parts/link.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { useEndpoint } from '../../parts/use-endpoint.ts'
import { useLanguage } from './people-language.tsx'

const useNewest = () => {
  const { org } = useDesk()
  return useEndpoint('portal.sessions.list', { params: { orgId: org.id }, query: { limit: 100 } })
}

/** Those of the newest interviews that were made with the policy. */
export const useUses = (policyId: string) => {
  const { state } = useNewest()
  return state.name === 'there' ? state.data.items.filter(({ policy }) => policy?.id === policyId) : []
}

/** Which interviews use the policy, and which version of it. */
export const PolicyInterviews = ({ policyId }: { readonly policyId: string }) => {
  const { t } = useLanguage()
  const { org } = useDesk()
  const newest = useNewest()
  const uses = useUses(policyId)
  return (
    <Loaded question={newest}>
      {({ items, total }) => (
        <>
          <p>{t('peopleUsesOf', { n: uses.length, shown: items.length, total })}</p>
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
        </>
      )}
    </Loaded>
  )
}
