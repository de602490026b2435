import { type EventType, eventTypes, type Permission, ServiceError } from '@integrity/protocol'

/** What a member needs besides seeing sessions to see events of a family: what their data tells of. */
const needed: Readonly<Record<string, Permission | undefined>> = {
  evidence: 'evidence.list',
  report: 'report.view',
  audit: 'audit.view',
  webhook: 'webhook.manage',
}

const permissionFor = (type: string): Permission | undefined => needed[type.split('.')[0] ?? '']

const maySee = (permissions: readonly Permission[], type: string): boolean => {
  const permission = permissionFor(type)
  return permission === undefined || permissions.includes(permission)
}

/**
 * The types that are asked for; without any, those that the member may see, or undefined where that is every one.
 * @throws forbidden where one that is asked for is none that they may see: an empty list would say that nothing happened
 */
export const typesFor = (
  permissions: readonly Permission[],
  asked: readonly string[] | undefined,
): readonly string[] | undefined => {
  const hidden = asked?.find((type) => !maySee(permissions, type))
  if (hidden !== undefined)
    throw new ServiceError('forbidden', `events of ${hidden} need the permission ${permissionFor(hidden)}`)
  if (asked !== undefined) return asked
  const seen: readonly EventType[] = eventTypes.filter((type) => maySee(permissions, type))
  return seen.length === eventTypes.length ? undefined : seen
}
