import type { CredentialEnding } from '@integrity/protocol'
import type { Reader } from '../platform/db/types.ts'
import type { Actor } from './identity/actor.ts'

export interface FoundCredential {
  readonly actor: Actor
  /** When it stops by itself, epoch milliseconds. */
  readonly until: number
  /** Its own endpoint has ended it; it may only ask that one again. */
  readonly spent?: boolean
  /** Why it ended, or will have when its time is over; `expired` where it says nothing. */
  readonly ending?: CredentialEnding
}

/** One kind of bearer credential: a domain keeps them, the pipeline asks it whose a secret is. */
export interface CredentialSource {
  /** Whether a secret of this form would be one of its kind. Absent from the one source that is asked for every other secret. */
  owns?(token: string): boolean
  /** Crosses tenants: a credential is found before it is known whose it is. `hash` is that of the secret. */
  find(reader: Reader, hash: string): Promise<FoundCredential | undefined>
  /** Of a kind that may ask for download links: whether the credential was neither ended nor given another secret since. */
  stillHolds?(
    reader: Reader,
    credential: { readonly orgId: string; readonly id: string; readonly since: number },
  ): Promise<boolean>
}
