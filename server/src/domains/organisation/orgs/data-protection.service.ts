import type { DataProtection } from '@integrity/protocol'
import type { Needs, WriteCall } from '../../../kernel/call.ts'
import type { ActorOf } from '../../../kernel/identity/actor.ts'
import { type DataProtectionRow, findDataProtection, saveDataProtection } from './data-protection.store.ts'

export const dataProtectionOf = (call: Needs<'reader'>, orgId: string): Promise<DataProtectionRow> =>
  findDataProtection(call.reader, orgId)

/** Replaces all of it. */
export const setDataProtection = async (
  call: WriteCall<ActorOf<'user'>>,
  settings: DataProtection,
): Promise<DataProtectionRow> => {
  const { tx, scope } = call
  const { orgId } = scope
  await saveDataProtection(tx, orgId, { settings, at: call.clock.now() })
  await call.audit.append(call, { action: 'org.data_protection_set', target: orgId, payload: settings })
  return findDataProtection(tx, orgId)
}
