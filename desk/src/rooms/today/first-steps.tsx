import { Section } from '@integrity/shared-ui/web/section'
import type { ReactNode } from 'react'
import type { ReadResult } from '../../data/desk-api.ts'
import type { Route } from '../../data/route.ts'
import { useDesk, useMay } from '../../parts/desk-context.ts'
import { useLanguage } from '../../parts/language.ts'
import { Link } from '../../parts/link.tsx'
import { useEndpoint } from '../../parts/use-endpoint.ts'

const steps = ['members', 'brand', 'dataProtection', 'interview', 'sso', 'hiring'] as const
type StepName = (typeof steps)[number]

interface StepProps {
  readonly name: StepName
  /** By what the service says of the organisation: nobody ticks it. */
  readonly done: boolean
  readonly to: Route
}

const Step = ({ name, done, to }: StepProps) => {
  const { t } = useLanguage()
  return (
    <li className={done ? 'done' : undefined}>
      <Link to={to}>{t(`connectionsFirst.${name}`)}</Link>{' '}
      <span className="small">{t(done ? 'connectionsFirstDone' : `connectionsFirstWhy.${name}`)}</span>
    </li>
  )
}

/** Of use to many organisations, and needed by none: it does not keep the list open. */
const SsoStep = () => {
  const { org } = useDesk()
  const { state } = useEndpoint('portal.sso.get', { params: { orgId: org.id } })
  const done = state.name === 'there' && state.data.connection !== null
  return <Step name="sso" done={done} to={{ room: 'connections', org: org.slug, section: 'sso', query: {} }} />
}

const HiringStep = () => {
  const { org } = useDesk()
  const { state } = useEndpoint('portal.ats.list', { params: { orgId: org.id }, query: {} })
  const done = state.name === 'there' && state.data.total > 0
  const to: Route = { room: 'connections', org: org.slug, section: 'hiring-systems', query: {} }
  return <Step name="hiring" done={done} to={to} />
}

/** Whether all of it is said that candidates and councils ask for. */
const isNamed = ({ dataProtection }: ReadResult<'portal.orgs.get'>): boolean =>
  [dataProtection.lawfulBasis, dataProtection.contact, dataProtection.alternative].every((said) => said !== undefined)

/** The steps that every organisation takes; undefined until all of them are known. */
const useNeeded = (): readonly StepProps[] | undefined => {
  const { org } = useDesk()
  const params = { orgId: org.id }
  const { state: detail } = useEndpoint('portal.orgs.get', { params })
  const { state: branding } = useEndpoint('portal.branding.get', { params })
  const { state: sessions } = useEndpoint('portal.sessions.list', { params, query: { limit: 1 } })
  if (detail.name !== 'there' || branding.name !== 'there' || sessions.name !== 'there') return undefined
  const { active, inactive } = detail.data.members
  const { config, resolved } = branding.data
  return [
    { name: 'members', done: active + inactive > 1, to: { room: 'organisation', org: org.slug, query: {} } },
    {
      name: 'brand',
      done: config.updatedAt !== null || resolved.logo !== null,
      to: { room: 'connections', org: org.slug, section: 'brand', query: {} },
    },
    {
      name: 'dataProtection',
      done: isNamed(detail.data),
      to: { room: 'organisation', org: org.slug, section: 'statement', query: {} },
    },
    { name: 'interview', done: sessions.data.total > 0, to: { room: 'schedule', org: org.slug } },
  ]
}

const Steps = (): ReactNode => {
  const { t } = useLanguage()
  const needed = useNeeded()
  const [managesSso, managesHiring] = [useMay('sso.manage'), useMay('integration.manage')]
  if (needed === undefined || needed.every(({ done }) => done)) return null
  const left = needed.filter(({ done }) => !done).length
  return (
    <Section title={t('connectionsFirstTitle')} card>
      <p>{t('connectionsFirstText', { left })}</p>
      <ol className="steps first-steps">
        {needed.map((step) => (
          <Step key={step.name} {...step} />
        ))}
        {managesSso ? <SsoStep /> : null}
        {managesHiring ? <HiringStep /> : null}
      </ol>
    </Section>
  )
}

/** What a new organisation does first, ticked by facts; gone once all that is needed is done. */
export const FirstSteps = (): ReactNode => {
  const [manages, sees] = [useMay('org.manage'), useMay('session.view')]
  return manages && sees ? <Steps /> : null
}
