import type { ApiScope, CredentialKind, LinkKind, Permission } from '@integrity/protocol'
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
interface SignedIn {
  /** Id of the person. */
  readonly id: string
  readonly email: string
  /** The sign-in that the cookie belongs to. */
  readonly portalSessionId: string
}

/** Who is calling, as the pipeline established it. */
export type Actor =
  | (Bound & { readonly kind: 'api_key'; readonly label: string; readonly scopes: readonly ApiScope[] })
  /** A member. Where the path names an organisation and nothing in it, the environment is `live` and means nothing. */
  | (Bound & { readonly kind: 'user'; readonly email: string; readonly permissions: readonly Permission[] })
  /**
   * `vouchedBy`: the organisation whose identity provider or directory knew who it was; `onlyIn`: the one in which it counts,
   * since the account has not agreed to more. Null after a password.
   */
  | (SignedIn & { readonly kind: 'account'; readonly vouchedBy: string | null; readonly onlyIn: string | null })
  | (SignedIn & { readonly kind: 'desk_operator' })
  /** `spent`: the token was used for a refresh before. */
  | (SignedIn & {
      readonly kind: 'refresh'
      readonly tokenHash: string
      readonly spent: boolean
      readonly onlyIn: string | null
    })
  | (OfSession & { readonly kind: 'agent' })
  | (OfSession & { readonly kind: 'companion' })
  | (OfSession & { readonly kind: 'room' })
  /** `mintedBy`: the key, the person or the candidate's link that asked for it. */
  | (Bound & { readonly kind: 'download'; readonly objectId: string; readonly mintedBy?: string | undefined })
  /** Whoever holds a link that was sent by e-mail; `id` is that of the link, `subjectId` of what it was made for. */
  | (OfSession & { readonly kind: 'link'; readonly link: LinkKind; readonly subjectId: string })
  /** `reachesOwners`: an owner issued the token, so that it may deactivate owners, too. */
  | (Bound & { readonly kind: 'scim'; readonly reachesOwners: boolean })
  /** `id`: of the connection whose key it is. */
  | (Bound & { readonly kind: 'assessment' })
  | { readonly kind: 'anonymous'; readonly id: string }

export type ActorOf<K extends CredentialKind> = Extract<Actor, { kind: K }>

/** Whether the caller acts in one organisation, so that the call has a scope. */
export const isBound = (actor: Actor): actor is Extract<Actor, { orgId: string }> => 'orgId' in actor

/** What the audit chain keeps of an actor. `system` is the service itself, in a job. */
export interface AuditActor {
  readonly kind: CredentialKind | 'system' | 'operator'
  readonly id: string
}
export const system: AuditActor = { kind: 'system', id: 'system' }
/** Whoever runs the operator's program. */
export const operator: AuditActor = { kind: 'operator', id: 'command-line' }
