import type { Brand } from '@integrity/protocol/clients/brand'
import { useLinkLanguage } from './link-language.ts'

/** Whom to ask about one's data, where the organisation says it. */
export const ContactLine = ({ brand }: { readonly brand: Brand }) => {
  const { t } = useLinkLanguage()
  const { contact } = brand
  if (!contact) return null
  return (
    <p>
      {t('contact', { org: brand.name })}{' '}
      <a href={contact.href} target="_blank" rel="noreferrer">
        {contact.text}
      </a>
    </p>
  )
}
