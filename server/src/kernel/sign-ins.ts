import { type EndpointSpec, ServiceError } from '@integrity/protocol'
import type { ActorOf } from './identity/actor.ts'

/** A fresh pair of a portal sign-in's tokens; a browser keeps them as cookies. */
export interface IssuedTokens {
  readonly access: string
  readonly refresh: string
  /** Epoch milliseconds. */
  readonly accessExpiresAt: number
  readonly refreshExpiresAt: number
}

/** Where a request comes from, as its sign-in is shown to its owner. */
export interface Caller {
  readonly address: string
  readonly userAgent: string | undefined
}

/** The tokens that came with a request, where they have the form of ours. */
export interface PortalTokens {
  readonly access: string | undefined
  readonly refresh: string | undefined
  /** Of a sign-in that this browser began and that is elsewhere at the moment. */
  readonly begun: string | undefined
}

/** A sign-in that is over: the browser is told to forget what it still holds of it. */
export class SignInOver extends ServiceError {
  constructor(message: string) {
    super('unauthorized', message, { headers: { 'WWW-Authenticate': 'Bearer' } })
  }
}

/** How the pipeline finds out who a signed-in person is. */
export interface SignIns {
  /** Whose access token this is. */
  account(token: string): Promise<ActorOf<'account'> | undefined>
  /** Whose refresh token this is; a spent one is told from an unknown one, because it ends the sign-in. */
  refresh(token: string): Promise<ActorOf<'refresh'> | undefined>
  /** Refuses a sign-in that counts in one organisation alone where something is the account's own. */
  person(endpoint: EndpointSpec, account: ActorOf<'account'>): Promise<void>
  /**
   * The person as a member of the organisation that the path names, or that owns what it names. Throws `not_found` for
   * whoever is no active member there.
   */
  member(
    endpoint: EndpointSpec,
    account: ActorOf<'account'>,
    params: Readonly<Record<string, string>>,
  ): Promise<ActorOf<'user'>>
}
