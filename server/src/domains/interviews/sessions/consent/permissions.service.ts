import type { PermissionState } from '@integrity/protocol'
import type { Writes } from '../../../../kernel/call.ts'
import { getSession } from '../sessions.read.service.ts'
import { updateSession } from '../sessions.store.ts'

/** So many permissions have a place of their own; no operating system asks for as many. */
const maxPermissions = 50

export interface PermissionReport {
  readonly permission: string
  readonly state: PermissionState
  /** When it became so, epoch milliseconds. */
  readonly at: number
}

/**
 * Keeps what the agent says of one permission of the operating system, in a locked session. Events of a spool come late and
 * out of order: one older than the last word changes nothing.
 */
export const notePermission = async (
  call: Writes,
  { sessionId, report }: { readonly sessionId: string; readonly report: PermissionReport },
): Promise<void> => {
  // Read again: the same batch may have told of another permission a moment ago.
  const { permissions, permissionTimes } = await getSession(call, sessionId)
  const { permission, state, at } = report
  const known = Object.hasOwn(permissionTimes, permission) ? permissionTimes[permission] : undefined
  if (known === undefined ? Object.keys(permissionTimes).length >= maxPermissions : known > at) return
  await updateSession(call.tx, call.scope, sessionId, {
    permissions: JSON.stringify({ ...permissions, [permission]: state }),
    permissionTimes: JSON.stringify({ ...permissionTimes, [permission]: at }),
  })
}
