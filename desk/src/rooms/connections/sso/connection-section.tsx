import { Actions, Button } from '@integrity/shared-ui/web/button'
import { Section } from '@integrity/shared-ui/web/section'
import { SelectField } from '@integrity/shared-ui/web/select-field'
import { useState } from 'react'
import { useDesk } from '../../../parts/desk-context.ts'
import { useLanguage } from '../../../parts/language.ts'
import { ConnectionFacts } from './connection-facts.tsx'
import { LdapForm } from './ldap-form.tsx'
import { OidcForm } from './oidc-form.tsx'
import { SamlForm } from './saml-form.tsx'
import type { Sso } from './sso-words.ts'

const kinds = ['saml', 'oidc', 'ldap'] as const
type Kind = (typeof kinds)[number]

interface FormProps {
  readonly sso: Sso
  readonly onSaved: () => void
}

/** The form of the chosen kind. */
const ConnectionForm = ({ sso, onSaved }: FormProps) => {
  const { t } = useLanguage()
  const { connection, domains } = sso
  const [kind, setKind] = useState<Kind>(connection?.kind ?? 'saml')
  const verified = domains.filter((domain) => domain.verified).length
  const ask = connection
    ? { title: t('connectionsReplaceTitle'), text: t('connectionsReplaceText', { domains: verified }) }
    : undefined
  const form = { shown: sso, ask, onSaved }
  return (
    <>
      <SelectField
        label={t('connectionsKind')}
        value={kind}
        options={kinds.map((id) => ({ id, label: t(`connectionsKind.${id}`) }))}
        onChange={(id) => setKind(id as Kind)}
      />
      {kind === 'saml' ? <SamlForm {...form} /> : null}
      {kind === 'oidc' ? <OidcForm {...form} /> : null}
      {kind === 'ldap' ? <LdapForm {...form} /> : null}
    </>
  )
}

/** The connection as it is set, and the form that sets it. Only an owner sets it: it says who is who. */
export const ConnectionSection = ({ sso }: Pick<FormProps, 'sso'>) => {
  const { t } = useLanguage()
  const { org } = useDesk()
  const [isOpen, setIsOpen] = useState(sso.connection === null)
  const [isSaved, setIsSaved] = useState(false)
  const saved = () => {
    setIsOpen(false)
    setIsSaved(true)
  }
  const change = () => {
    setIsOpen(true)
    setIsSaved(false)
  }
  const isOwner = org.role === 'owner' && org.customRole === null
  return (
    <Section title={t('connectionsConnectionTitle')}>
      {sso.connection ? <ConnectionFacts connection={sso.connection} /> : <p>{t('connectionsNoConnection')}</p>}
      <p role="status">{isSaved ? t('connectionsSsoSaved') : null}</p>
      {isOwner ? null : <p>{t('connectionsOwnerOnly')}</p>}
      {isOwner && isOpen ? <ConnectionForm sso={sso} onSaved={saved} /> : null}
      {isOwner && !isOpen ? (
        <Actions>
          <Button onClick={change}>{t('connectionsChangeConnection')}</Button>
        </Actions>
      ) : null}
    </Section>
  )
}
