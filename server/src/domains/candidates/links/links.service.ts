import { type CredentialEnding, type LinkKind, ServiceError, secretPrefixes } from '@integrity/protocol'
import type { Needs, Reads, Writes } from '../../../kernel/call.ts'
import { newSecret } from '../../../platform/crypto/secrets.ts'
import { endLinksOf, findLinkById, insertLink, type LinkEnding } from './links.store.ts'

export interface IssuedLink {
  readonly id: string
  /** Shown or sent once; only its hash is kept. */
  readonly token: string
  /** Epoch milliseconds. */
  readonly expiresAt: number
}

export interface LinkFor {
  readonly kind: LinkKind
  readonly sessionId: string
  /** What it is made for: a later link for the same thing ends this one. */
  readonly subjectId: string
  readonly origin?: string
  /** Epoch milliseconds. */
  readonly expiresAt: number
}

/** Ends the links of one kind for one thing; they stop at once. */
export const endLinks = async (
  call: Writes & Needs<'clock' | 'credentials'>,
  { of, reason }: { readonly of: Pick<LinkFor, 'kind' | 'subjectId'>; readonly reason: LinkEnding },
): Promise<void> => {
  const { tx } = call
  await endLinksOf(tx, call.scope, of, reason, call.clock.now())
  tx.afterCommit(() => call.credentials.clear())
}

/** A new link; earlier ones for the same thing stop working. */
export const issueLink = async (
  call: Writes & Needs<'clock' | 'credentials' | 'newId'>,
  wanted: LinkFor,
): Promise<IssuedLink> => {
  await endLinks(call, { of: wanted, reason: 'replaced' })
  const { token, hash } = newSecret(secretPrefixes[wanted.kind])
  const id = call.newId('lnk')
  await insertLink(
    call.tx,
    call.scope,
    { ...wanted, id, origin: wanted.origin ?? null, tokenHash: hash },
    call.clock.now(),
  )
  return { id, token, expiresAt: wanted.expiresAt }
}

/** Why and when a link ended, where it has; `undefined` for none of this scope. */
export const readLink = (call: Reads, id: string) => findLinkById(call.reader, call.scope, id)

/** The error by which authentication refuses an ended link. */
export const linkEnded = (reason: CredentialEnding): ServiceError =>
  new ServiceError('unauthorized', 'this link has ended or expired', {
    headers: { 'WWW-Authenticate': 'Bearer' },
    extra: { reason },
  })

/**
 * Refuses a link that has ended since the request was let in. Who writes calls it with the session locked, as do those who
 * end links: then nothing comes between.
 */
export const refuseEndedLink = async (call: Reads & Needs<'clock'>, id: string): Promise<void> => {
  const row = await findLinkById(call.reader, call.scope, id)
  if (row && row.endedAt === null && call.clock.now() < row.expiresAt) return
  throw linkEnded(row?.endReason ?? 'expired')
}

const pages = {
  invitation: 'invitation',
  candidate_request: 'requests',
  interviewer: 'interviewer',
} as const satisfies Partial<Record<LinkKind, string>>

/** The address that goes into a message. The secret is behind the `#`, so that no server's log sees it. */
export const linkUrl = (
  call: Needs<'config'>,
  {
    link: { kind, sessionId },
    token,
  }: { readonly link: { readonly kind: keyof typeof pages; readonly sessionId: string }; readonly token: string },
): string => `${call.config.baseUrl}/${pages[kind]}/#${sessionId}.${token}`

/** The page of a candidate's requests, for whoever has no link: it asks for the address that was invited. */
export const requestsPageUrl = (call: Needs<'config'>, sessionId: string): string =>
  `${call.config.baseUrl}/${pages.candidate_request}/#${sessionId}`

/** The page that says what is kept of interviewers: of one of them by the link that they were sent, or in general. */
export const interviewerPageUrl = (
  call: Needs<'config'>,
  of?: { readonly interviewerId: string; readonly token: string },
): string => `${call.config.baseUrl}/${pages.interviewer}/${of ? `#${of.interviewerId}.${of.token}` : ''}`

const context = (linkId: string): string => `link:${linkId}`

/** The token as a job that sends it may keep it: readable with the master key alone. */
export const wrapLink = (call: Needs<'keyring'>, { id, token }: IssuedLink): string =>
  call.keyring.wrap(Buffer.from(token), context(id))

export const unwrapLink = (
  call: Needs<'keyring'>,
  { id, wrapped }: { readonly id: string; readonly wrapped: string },
): string => call.keyring.unwrap(wrapped, context(id)).toString()
