import type { SessionCredentialKind } from '@integrity/protocol'
import type { By, Needs, Writes } from '../../../../kernel/call.ts'
import type { ActorOf } from '../../../../kernel/identity/actor.ts'
import type { ConsentDocument, ConsentRecord } from './consent.model.ts'
import { insertConsent } from './consents.store.ts'

interface Answer {
  readonly document: ConsentDocument
  /** What was answered for each lane. */
  readonly lanes: ConsentRecord['lanes']
  /** ISO 8601, as the device said it. */
  readonly at: string
}

/**
 * Beside the session's own column, which holds what stands now: each answer, with the document that it was to. Answers the
 * id of the answer.
 */
export const keepAnswer = async (
  { tx, scope, actor, newId, clock }: Writes & By<ActorOf<SessionCredentialKind>> & Needs<'newId' | 'clock'>,
  { document, lanes, at }: Answer,
): Promise<string> => {
  const id = newId('cns')
  await insertConsent(
    tx,
    scope,
    {
      id,
      sessionId: actor.sessionId,
      kind: actor.kind,
      version: document.version,
      locale: document.locale,
      documentHash: document.hash,
      document: JSON.stringify(document),
      retentionDays: document.retentionDays,
      lanes: JSON.stringify(lanes),
      acceptedAt: Date.parse(at),
      credentialId: actor.id,
    },
    clock.now(),
  )
  return id
}
