import { useSending } from '@integrity/shared-ui/hooks/use-sending'
import { dayAndTime } from '@integrity/shared-ui/session/appointment-times'
import { Actions, Button } from '@integrity/shared-ui/web/button'
import { Section } from '@integrity/shared-ui/web/section'
import { SendProblemNotice } from '@integrity/shared-ui/web/send-problem'
import { useLocale } from '@integrity/shared-ui/web/spoken'
import type { SignIn } from '../../data/account-api.ts'
import { useLanguage } from './language.ts'

const programs = ['Firefox', 'Edg', 'OPR', 'Chrome', 'Safari'] as const
const systems = ['Android', 'iPhone', 'iPad', 'Windows', 'Mac OS', 'Linux'] as const

/** What a browser calls itself, in two words where it says them. */
const programOf = (userAgent: string | null): string | undefined => {
  if (userAgent === null) return undefined
  const found = [programs, systems].flatMap((names) => names.find((name) => userAgent.includes(name)) ?? [])
  return found.length > 0 ? found.join(', ') : userAgent.slice(0, 60)
}

interface Props {
  readonly signIns: readonly SignIn[]
  readonly onEnd: (id: string) => Promise<void>
  readonly onEndOthers: () => Promise<void>
}

/** Where the account is signed in. */
export const SignInsSection = ({ signIns, onEnd, onEndOthers }: Props) => {
  const { t } = useLanguage()
  const locale = useLocale()
  const { busy, problem, send } = useSending({ endedBy: () => false })
  return (
    <Section title={t('signInsTitle')}>
      <ul className="plain">
        {signIns.map(({ id, current, address, userAgent, createdAt, lastUsedAt }) => {
          const name = programOf(userAgent) ?? t('unknownPlace')
          return (
            <li key={id}>
              <p>
                <strong>{name}</strong>
                {current ? ` (${t('thisOne')})` : null}
                {address === null ? null : `, ${t('from', { address })}`},{' '}
                {t('since', { at: dayAndTime(createdAt, locale) })},{' '}
                {t('lastUsed', { at: dayAndTime(lastUsedAt, locale) })}
              </p>
              {current ? null : (
                <Actions>
                  <Button aria-label={t('endOf', { what: name })} busy={busy} onClick={() => send(() => onEnd(id))}>
                    {t('end')}
                  </Button>
                </Actions>
              )}
            </li>
          )
        })}
      </ul>
      <SendProblemNotice problem={problem} />
      {signIns.length > 1 ? (
        <Actions>
          <Button kind="stop" busy={busy} onClick={() => send(onEndOthers)}>
            {t('endOthers')}
          </Button>
        </Actions>
      ) : null}
    </Section>
  )
}
