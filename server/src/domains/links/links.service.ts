import { type CredentialEnding, type LinkKind, ServiceError, secretPrefixes } from '@integrity/protocol'
import type { FoundCredential } from '../../kernel/credential-cache.ts'
import type { AppContext } from '../../kernel/parts.ts'
import type { Scope } from '../../kernel/scope.ts'
import { newSecret } from '../../platform/crypto/secrets.ts'
import type { Reader, Tx } from '../../platform/db/types.ts'
import { endLinksOf, findLinkByHash, findLinkById, insertLink, type LinkEnding } from './links.store.ts'

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
  app: AppContext,
  tx: Tx,
  scope: Scope,
  of: Pick<LinkFor, 'kind' | 'subjectId'>,
  reason: LinkEnding,
): Promise<void> => {
  await endLinksOf(tx, scope, of, reason, app.clock.now())
  tx.afterCommit(() => app.credentials.clear())
}

/** A new link; earlier ones for the same thing stop working. */
export const issueLink = async (app: AppContext, tx: Tx, scope: Scope, wanted: LinkFor): Promise<IssuedLink> => {
  await endLinks(app, tx, scope, wanted, 'replaced')
  const { token, hash } = newSecret(secretPrefixes[wanted.kind])
  const id = app.newId('lnk')
  await insertLink(tx, scope, { ...wanted, id, origin: wanted.origin ?? null, tokenHash: hash }, app.clock.now())
  return { id, token, expiresAt: wanted.expiresAt }
}

/** Whose link this is, as the pipeline's authentication needs it. */
export const findLink = async (reader: Reader, tokenHash: string): Promise<FoundCredential | undefined> => {
  const row = await findLinkByHash(reader, tokenHash)
  if (!row) return undefined
  const { orgId, environment, id, sessionId, kind, subjectId, origin } = row
  return {
    actor: { kind: 'link', link: kind, id, orgId, environment, sessionId, subjectId, label: origin },
    until: row.expiresAt,
    spent: row.endedAt !== null,
    ending: row.endReason ?? 'expired',
  }
}

/** Why and when a link ended, where it has; `undefined` for none of this scope. */
export const readLink = findLinkById

/** As authentication refuses a link that has ended. */
export const linkEnded = (reason: CredentialEnding): ServiceError =>
  new ServiceError('unauthorized', 'this link has ended or expired', {
    headers: { 'WWW-Authenticate': 'Bearer' },
    extra: { reason },
  })

/**
 * Refuses a link that has ended since the request was let in. Who writes calls it with the session locked, as do those who
 * end links: then nothing comes between.
 */
export const refuseEndedLink = async (app: AppContext, reader: Reader, scope: Scope, id: string): Promise<void> => {
  const row = await findLinkById(reader, scope, id)
  if (row && row.endedAt === null && app.clock.now() < row.expiresAt) return
  throw linkEnded(row?.endReason ?? 'expired')
}

const pages = { invitation: 'invitation', candidate_request: 'requests' } as const satisfies Partial<
  Record<LinkKind, string>
>

/** The address that goes into a message. The secret stands behind the `#`, so that no server's log sees it. */
export const linkUrl = (
  app: AppContext,
  { kind, sessionId }: { readonly kind: keyof typeof pages; readonly sessionId: string },
  token: string,
): string => `${app.config.baseUrl}/${pages[kind]}/#${sessionId}.${token}`

/** The page of a candidate's requests, for whoever has no link: it asks for the address that was invited. */
export const requestsPageUrl = (app: AppContext, sessionId: string): string =>
  `${app.config.baseUrl}/${pages.candidate_request}/#${sessionId}`

const context = (linkId: string): string => `link:${linkId}`

/** The token as a job that sends it may keep it: readable with the master key alone. */
export const wrapLink = (app: AppContext, { id, token }: IssuedLink): string =>
  app.keyring.wrap(Buffer.from(token), context(id))

export const unwrapLink = (app: AppContext, id: string, wrapped: string): string =>
  app.keyring.unwrap(wrapped, context(id)).toString()
