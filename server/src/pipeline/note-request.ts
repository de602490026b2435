import { type EndpointSpec, ServiceError, wirePaths } from '@integrity/protocol'
import type { Actor } from '../kernel/identity/actor.ts'
import { provisioning } from '../kernel/recent-requests/recent-requests.ts'
import type { PipelineParts } from './pipeline-parts.ts'

const reasonLength = 300

/** In words, without the addresses that a provider may have sent as part of a filter. */
const reasonOf = ({ message }: ServiceError): string => message.replaceAll(/\S*@\S*/g, '…').slice(0, reasonLength)

interface Answered {
  readonly actor: Actor | undefined
  readonly endpoint: EndpointSpec | undefined
  readonly requestId: string
  readonly status: number
  readonly ms: number
  readonly thrown: unknown
}

/**
 * Keeps a request for those who look after the credential that it came with: the declared path without the values in it, and,
 * to an identity provider, the reason of a refusal, without the words of a person.
 */
export const noteRequest = (
  app: Pick<PipelineParts, 'clock' | 'recentRequests'>,
  { actor, endpoint, requestId, status, ms, thrown }: Answered,
): void => {
  if (!endpoint || !(actor?.kind === 'api_key' || actor?.kind === 'scim' || actor?.kind === 'assessment')) return
  const refused = thrown instanceof ServiceError ? thrown : undefined
  const isProvisioning = endpoint.path.startsWith(wirePaths.scim)
  app.recentRequests.note({
    orgId: actor.orgId,
    credentialId: actor.kind === 'scim' ? provisioning : actor.id,
    at: app.clock.now(),
    requestId,
    method: endpoint.method,
    path: endpoint.path,
    status,
    durationMs: Math.round(ms),
    errorCode: refused?.code ?? (status >= 500 ? 'internal_error' : null),
    reason: isProvisioning && refused ? reasonOf(refused) : null,
  })
}
