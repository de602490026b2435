import type { DataProtection } from '@integrity/protocol'
import type { Needs, WriteCall } from '../../../kernel/call.ts'
import type { ActorOf } from '../../../kernel/identity/actor.ts'
import { checkSeen, setMeanwhile } from '../../../kernel/seen.ts'
import { type DataProtectionRow, findDataProtection, saveDataProtection } from './data-protection.store.ts'

export const dataProtectionOf = (call: Needs<'reader'>, orgId: string): Promise<DataProtectionRow> =>
  findDataProtection(call.reader, orgId)

/** Replaces all of it. Throws `conflict` where somebody else has set it since it was seen. */
export const setDataProtection = async (
  call: WriteCall<ActorOf<'user'>>,
  { expectedVersion, ...settings }: DataProtection & { readonly expectedVersion?: number | undefined },
): Promise<DataProtectionRow> => {
  const { tx, scope } = call
  const { orgId } = scope
  const before = await findDataProtection(tx, orgId)
  checkSeen(before, expectedVersion)
  const written = { settings, after: before.version, at: call.clock.now() }
  if (!(await saveDataProtection(tx, orgId, written))) throw setMeanwhile()
  await call.audit.append(call, { action: 'org.data_protection_set', target: orgId, payload: settings })
  return findDataProtection(tx, orgId)
}
