import { sign } from '../platform/crypto/signed-token.ts'
import type { Needs } from './call.ts'
import type { AuditActor } from './identity/actor.ts'

/** How long a download link works. Milliseconds. */
export const downloadLinkMs = 5 * 60_000

/**
 * A URL path that opens the bytes of an object without a credential, until an instant in epoch milliseconds. It says who
 * asked for it; one that a key asked for ends with that key.
 */
export const downloadLink = (
  call: Needs<'clock' | 'config' | 'downloadKey' | 'scope'> & { readonly actor?: AuditActor },
  { kind, objectId, path }: { readonly kind: string; readonly objectId: string; readonly path: string },
): { readonly url: string; readonly expiresAt: string } => {
  const { scope, actor } = call
  const madeAt = call.clock.now()
  const expiresAt = madeAt + downloadLinkMs
  const by = actor && { kind: actor.kind, id: actor.id, madeAt }
  const grant = { objectId, orgId: scope.orgId, expiresAt, kind: `${kind}:${scope.environment}` }
  const token = sign({ ...grant, ...(by && { by }) }, call.downloadKey)
  return { url: `${call.config.baseUrl}${path}?token=${token}`, expiresAt: new Date(expiresAt).toISOString() }
}
