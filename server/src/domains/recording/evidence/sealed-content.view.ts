import { type By, inTx, type Needs, type Reads } from '../../../kernel/call.ts'
import type { GivenOut, RangedContent } from '../../../kernel/content.ts'
import type { Actor, AuditActor } from '../../../kernel/identity/actor.ts'
import { openSealed } from '../../../platform/storage/sealed-object.ts'
import { verifiedToItsEnd } from '../../../platform/storage/verified-end.ts'
import { orgIdentity } from '../../organisation/orgs/orgs.service.ts'
import type { EvidenceRow, StoredBytes } from './evidence.types.ts'

/** Sealed bytes of the store, and what they are. Size and hash are those of the plain bytes. */
export interface SealedItem
  extends StoredBytes,
    Pick<EvidenceRow, 'id' | 'sessionId' | 'sizeBytes' | 'sha256' | 'contentType'> {
  readonly kind: 'composition' | 'evidence'
  readonly fileName: string
}

/** A download by link is that of who asked for the link, as far as anybody knows. */
const downloader = (actor: Actor): AuditActor =>
  actor.kind === 'download' && actor.mintedBy !== undefined ? { kind: 'download', id: actor.mintedBy } : actor

/** Writes the audit row of what went out, or that just the headers were looked at. */
export const givenOut =
  (
    call: Reads & By<Actor> & Needs<'audit' | 'db'>,
    { kind, id, sessionId }: Pick<SealedItem, 'kind' | 'id' | 'sessionId'>,
    more: { readonly sealed?: true } = {},
  ) =>
  ({ head, ...payload }: GivenOut): Promise<unknown> =>
    call.db.transact((tx) =>
      call.audit.append(inTx({ ...call, actor: downloader(call.actor) }, tx), {
        action: head ? `${kind}.viewed` : `${kind}.downloaded`,
        target: id,
        sessionId,
        payload: { ...payload, ...more },
      }),
    )

/** The plain bytes to be downloaded, with an audit row. */
export const sealedContent = async (
  call: Reads & By<Actor> & Needs<'audit' | 'db' | 'identities' | 'keyring' | 'store'>,
  item: SealedItem,
): Promise<RangedContent> => {
  const { header, storeKey, sizeBytes, sha256, contentType, fileName } = item
  const identity = await orgIdentity(call, call.scope.orgId)
  return {
    contentType,
    fileName,
    sandboxed: true,
    sizeBytes,
    sha256,
    read: (range) =>
      verifiedToItsEnd(openSealed(header, identity, call.store, storeKey, { sizeBytes, ...range }), item, range),
    given: givenOut(call, item),
  }
}
