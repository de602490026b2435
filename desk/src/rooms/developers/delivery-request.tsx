import { useState } from 'react'
import { useDesk } from '../../parts/desk-context.ts'
import { useLanguage } from '../../parts/language.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { useEndpoint } from '../../parts/use-endpoint.ts'

interface Props {
  readonly endpointId: string
  readonly deliveryId: string
}

const indented = (body: string): string => {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}

const Request = ({ endpointId, deliveryId }: Props) => {
  const { t } = useLanguage()
  const { org } = useDesk()
  const params = { orgId: org.id, endpointId, deliveryId }
  const request = useEndpoint('portal.webhooks.deliveries.request', { params })
  return (
    <Loaded question={request}>
      {({ headers, body }) => (
        <>
          <p className="small">{t('developersSentText')}</p>
          <pre className="wire" dir="ltr">
            {Object.entries(headers)
              .map(([name, value]) => `${name}: ${value}`)
              .join('\n')}
            {'\n\n'}
            {indented(body)}
          </pre>
        </>
      )}
    </Loaded>
  )
}

/** What a delivery posts; the service is asked once somebody opens it. */
export const DeliveryRequest = (props: Props) => {
  const { t } = useLanguage()
  const [isOpen, setOpen] = useState(false)
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{t('developersSent')}</summary>
      {isOpen ? <Request {...props} /> : null}
    </details>
  )
}
