import { Actions, Button } from '@integrity/shared-ui/web/button'
import { Section } from '@integrity/shared-ui/web/section'
import { useLocale } from '@integrity/shared-ui/web/spoken'
import { useDesk } from '../../../parts/desk-context.ts'
import { useLanguage } from '../../../parts/language.ts'
import { Outcome } from '../../../parts/outcome.tsx'
import { shortTime } from '../../../parts/spans.ts'
import { useAttempt } from '../../../parts/use-attempt.ts'
import type { DeskText } from '../../../words/desk.ts'
import type { Sso } from './sso-words.ts'

const names: Readonly<Record<string, DeskText>> = {
  certificates: 'connectionsCheck.certificates',
  sign_in_address: 'connectionsCheck.address',
  password_sign_ins: 'connectionsCheck.passwords',
  discovery: 'connectionsCheck.discovery',
  keys: 'connectionsCheck.keys',
  connect: 'connectionsCheck.connect',
  bind: 'connectionsCheck.bind',
  base: 'connectionsCheck.base',
  users: 'connectionsCheck.users',
  groups: 'connectionsCheck.groups',
}

/** What was tried, step by step, each with the service's words about it. */
const Checks = ({ test: { ok, checks, testedAt } }: { readonly test: NonNullable<Sso['test']> }) => {
  const { t } = useLanguage()
  const locale = useLocale()
  return (
    <>
      <p>{t(ok ? 'connectionsTestWorked' : 'connectionsTestFailed', { at: shortTime(testedAt, locale) })}</p>
      <ul>
        {checks.map((check) => {
          const text = names[check.name]
          const name = text === undefined ? check.name : t(text)
          return (
            <li key={check.name}>
              {t(check.ok ? 'connectionsCheckOk' : 'connectionsCheckNot', { name })}
              {check.message === undefined ? null : <span className="small"> {check.message}</span>}
            </li>
          )
        })}
      </ul>
    </>
  )
}

/** Tries the connection as it is set, and says step by step what works. */
export const TestSection = ({ sso: { test } }: { readonly sso: Sso }) => {
  const { t } = useLanguage()
  const { own, org } = useDesk()
  const attempt = useAttempt('portal.sso.get')
  const run = () => attempt.attempt(() => own.call('portal.sso.test', { params: { orgId: org.id } }))
  return (
    <Section title={t('connectionsTestTitle')}>
      <div role="status">{test ? <Checks test={test} /> : <p>{t('connectionsNoTest')}</p>}</div>
      <Outcome of={attempt} />
      <Actions>
        <Button busy={attempt.busy} onClick={run}>
          {t(attempt.busy ? 'connectionsTesting' : 'connectionsTest')}
        </Button>
      </Actions>
    </Section>
  )
}
