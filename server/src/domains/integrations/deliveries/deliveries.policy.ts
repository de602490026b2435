import { ServiceError } from '@integrity/protocol'
import type { EndpointRow } from '../webhooks/webhooks.types.ts'

/** Nothing is queued for an endpoint that is switched off. */
export const requireEnabled = (endpoint: EndpointRow): void => {
  if (endpoint.status === 'disabled')
    throw new ServiceError('conflict', 'this webhook endpoint is disabled; enable it first')
}
