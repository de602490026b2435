import type { ApiScope, CredentialKind, Permission } from '@integrity/protocol'
import type { Environment } from './scope.ts'

interface Bound {
  /** Id of the credential or person. */
  readonly id: string
  readonly orgId: string
  readonly environment: Environment
}
interface OfSession extends Bound {
  readonly sessionId: string
  readonly label: string | null
}

/** Who is calling, as the pipeline established it. */
export type Actor =
  | (Bound & { readonly kind: 'api_key'; readonly label: string; readonly scopes: readonly ApiScope[] })
  | (Bound & { readonly kind: 'user'; readonly email: string; readonly permissions: readonly Permission[] })
  | (OfSession & { readonly kind: 'agent' })
  | (OfSession & { readonly kind: 'companion' })
  | (OfSession & { readonly kind: 'room' })
  | (Bound & { readonly kind: 'download'; readonly objectId: string })
  | (Bound & { readonly kind: 'link'; readonly link: string })
  | (Bound & { readonly kind: 'scim' })
  | { readonly kind: 'anonymous'; readonly id: string }

export type ActorOf<K extends CredentialKind> = Extract<Actor, { kind: K }>

/** What the audit chain keeps of an actor. `system` is the service itself, in a job. */
export interface AuditActor {
  readonly kind: CredentialKind | 'system' | 'operator'
  readonly id: string
}
export const system: AuditActor = { kind: 'system', id: 'system' }
