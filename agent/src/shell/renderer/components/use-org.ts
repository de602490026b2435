import { useAgent } from './agent.tsx'
import { useLanguage } from './language.tsx'

/** The organisation's name, or a word for it where the service gave none. */
export const useOrg = (): string => {
  const { t } = useLanguage()
  return useAgent().state.session?.orgName ?? t('theOrganisation')
}
