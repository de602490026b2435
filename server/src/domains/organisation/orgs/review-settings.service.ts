import type { ReviewSettings } from '@integrity/protocol'
import type { Needs, WriteCall } from '../../../kernel/call.ts'
import type { ActorOf } from '../../../kernel/identity/actor.ts'
import { checkSeen, setMeanwhile } from '../../../kernel/seen.ts'
import { findReviewSettings, type ReviewSettingsRow, saveReviewSettings } from './review-settings.store.ts'

export const reviewSettingsOf = (call: Needs<'reader'>, orgId: string): Promise<ReviewSettingsRow> =>
  findReviewSettings(call.reader, orgId)

/** Throws `conflict` where somebody else has set them since they were seen. */
export const setReviewSettings = async (
  call: WriteCall<ActorOf<'user'>>,
  { expectedVersion, ...settings }: ReviewSettings & { readonly expectedVersion?: number | undefined },
): Promise<ReviewSettingsRow> => {
  const { tx, scope } = call
  const { orgId } = scope
  const before = await findReviewSettings(tx, orgId)
  checkSeen(before, expectedVersion)
  const written = { settings, after: before.version, at: call.clock.now() }
  if (!(await saveReviewSettings(tx, orgId, written))) throw setMeanwhile()
  await call.audit.append(call, { action: 'org.review_set', target: orgId, payload: settings })
  return findReviewSettings(tx, orgId)
}
