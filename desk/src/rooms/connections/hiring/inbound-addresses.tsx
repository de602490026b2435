import { useLanguage } from '../../../parts/language.ts'
import { Copied } from '../parts/shown-once.tsx'
import { addressesOf } from './ats-words.ts'

/** Where the other side sends to or calls: one address, or the four that Greenhouse is sent by e-mail. */
export const InboundAddresses = ({ inboundUrl }: { readonly inboundUrl: string }) => {
  const { t } = useLanguage()
  const addresses = addressesOf(inboundUrl)
  if (!addresses) return <Copied name={t('connectionsInboundUrl')} value={inboundUrl} />
  return (
    <ul>
      {addresses.map(({ call, url }) => (
        <li key={call}>
          <code>{call}</code> <Copied name={call} value={url} />
        </li>
      ))}
    </ul>
  )
}
