import { sizeWords } from '@integrity/protocol/clients/size-words'
import { useLocale } from '../../components/link-language.ts'
import { buildName, machineOf, sortBuilds } from '../../session/builds.ts'
import type { Build, InvitationFacts } from '../../session/invitation-api.ts'
import { Section } from '../../ui/section.tsx'
import { useLanguage } from './language.ts'

const BuildList = ({ builds }: { readonly builds: readonly Build[] }) => {
  const { t } = useLanguage()
  const locale = useLocale()
  return (
    <ul className="builds">
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
      {here.length > 0 ? (
        <>
          <h3>{t('getHere')}</h3>
          <BuildList builds={here} />
        </>
      ) : null}
      {elsewhere.length > 0 ? (
        <>
          {here.length > 0 || !known ? <h3>{t('getElsewhere')}</h3> : <p>{t('getElsewhereOnly')}</p>}
          <BuildList builds={elsewhere} />
        </>
      ) : null}
      {here.length + elsewhere.length === 0 ? <p>{t('getNone', { org: facts.org.name })}</p> : null}
    </Section>
  )
}
