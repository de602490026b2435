import { sizeWords } from '@integrity/protocol/clients/size-words'
import { Section } from '@integrity/shared-ui/web/section'
import { useLocale } from '@integrity/shared-ui/web/spoken'
import { buildName, machineOf, sortBuilds } from '../../session/builds.ts'
import type { Build, InvitationFacts } from '../../session/invitation-api.ts'
import { useLanguage } from './language.ts'

const BuildList = ({ builds, here = false }: { readonly builds: readonly Build[]; readonly here?: boolean }) => {
  const { t } = useLanguage()
  const locale = useLocale()
  return (
    <ul className={here ? 'builds here' : 'builds'}>
      {builds.map((build) => (
        <li key={build.url}>
          <a href={build.url} rel="noreferrer">
            {t('getBuild', {
              name: buildName(build),
              version: build.version,
              size: sizeWords(build.sizeBytes, locale),
            })}
          </a>
        </li>
      ))}
    </ul>
  )
}

interface ElsewhereProps {
  readonly builds: readonly Build[]
  /** There is one for this computer, which is the one to take. */
  readonly folded: boolean
  /** The machine that this is read on is a computer. */
  readonly known: boolean
}

const Elsewhere = ({ builds, folded, known }: ElsewhereProps) => {
  const { t } = useLanguage()
  if (builds.length === 0) return null
  if (folded)
    return (
      <details>
        <summary>{t('getElsewhere')}</summary>
        <BuildList builds={builds} />
      </details>
    )
  return (
    <>
      {known ? <p>{t('getElsewhereOnly')}</p> : <h3>{t('getElsewhere')}</h3>}
      <BuildList builds={builds} />
    </>
  )
}

/** Where to get the application: for this computer first. */
export const ApplicationSection = ({ facts }: { readonly facts: InvitationFacts }) => {
  const { t } = useLanguage()
  const machine = machineOf(navigator.userAgent, navigator.maxTouchPoints)
  const { here, elsewhere } = sortBuilds(facts.downloads, machine)
  const known = machine === 'darwin' || machine === 'win32' || machine === 'linux'
  return (
    <Section title={t('getTitle')}>
      <p>{t('getText')}</p>
      {machine === 'other' ? <p>{t('getPhone')}</p> : null}
      {here.length > 0 ? <BuildList builds={here} here /> : null}
      <Elsewhere builds={elsewhere} folded={here.length > 0} known={known} />
      {here.length + elsewhere.length === 0 ? <p>{t('getNone', { org: facts.org.name })}</p> : null}
    </Section>
  )
}
