import { type EventType, eventTypes, type Permission } from '@integrity/protocol'

/** What a member needs besides seeing sessions to see events of a family: what their data tells of. */
const needed: Readonly<Record<string, Permission | undefined>> = {
  evidence: 'evidence.list',
  report: 'report.view',
  audit: 'audit.view',
  webhook: 'webhook.manage',
}

const maySee = (permissions: readonly Permission[], type: EventType): boolean => {
  const permission = needed[type.split('.')[0] ?? '']
  return permission === undefined || permissions.includes(permission)
}

/** No event is of it. */
const none = ['']

/** Of the types that are asked for (all of them without), those that the member may see; undefined where that is every one. */
export const typesFor = (
  permissions: readonly Permission[],
  asked: readonly string[] | undefined,
): readonly string[] | undefined => {
  const seen = eventTypes.filter((type) => maySee(permissions, type))
  if (asked === undefined) return seen.length === eventTypes.length ? undefined : seen
  const types = seen.filter((type) => asked.includes(type))
  return types.length === 0 ? none : types
}
