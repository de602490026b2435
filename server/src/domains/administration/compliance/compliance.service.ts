import { type BuiltInRole, builtInRoles, maxRetentionDays } from '@integrity/protocol'
import type { Needs } from '../../../kernel/call.ts'
import { rolesOf } from '../../access/roles/roles.service.ts'
import { connectionsOf } from '../../integrations/ats/connecting.service.ts'
import { integrationsOf } from '../../integrations/chat/chat.service.ts'
import { targetsOf } from '../../integrations/webhooks/webhooks.service.ts'
import { heldSessions } from '../../interviews/sessions/joining/window.service.ts'
import { keysThatMay } from '../../organisation/api-keys/api-keys.service.ts'
import { activeStandings } from '../../organisation/people/memberships.service.ts'
import { permissionsOf, readPermissions } from '../../organisation/people/people.policy.ts'
import { ownRecipientsOf } from '../../organisation/recipients/recipients.service.ts'
import type { RecipientRow } from '../../organisation/recipients/recipients.types.ts'
import { type Rules, rulesOf } from '../../organisation/retention-rules/retention-rules.service.ts'
import { placesOf } from '../storage/storage.service.ts'
import {
  applicantSystemsOf,
  chatsOf,
  type Destination,
  mailOf,
  paymentsOf,
  storagesOf,
  webhooksOf,
} from './destinations.model.ts'

export interface EvidenceReader {
  readonly role: string
  readonly roleId: string | null
  readonly members: number
}

export interface Processing {
  readonly at: number
  readonly readers: readonly EvidenceReader[]
  readonly apiKeys: number
  readonly ownRecipients: readonly RecipientRow[]
  readonly destinations: readonly Destination[]
  readonly rules: Rules
  readonly longestDays: number
  readonly holds: number
}

/** The roles that may open evidence, with how many active people have them. A custom role is in the place of the built-in one. */
const readersOf = async (call: Needs<'reader'>, orgId: string): Promise<EvidenceReader[]> => {
  const standings = await activeStandings(call, orgId)
  const members = (of: (standing: (typeof standings)[number]) => boolean): number =>
    standings.filter(of).reduce((sum, standing) => sum + standing.members, 0)
  const builtIn = builtInRoles
    .filter((role: BuiltInRole) => permissionsOf(role).includes('evidence.view'))
    .map((role) => ({
      role,
      roleId: null,
      members: members((one) => one.role === role && (one.customRoleId === null || role === 'owner')),
    }))
  const custom = (await rolesOf(call, orgId))
    .filter(({ permissions }) => readPermissions(permissions).includes('evidence.view'))
    .map(({ id, name }) => ({
      role: name,
      roleId: id,
      members: members((one) => one.customRoleId === id && one.role !== 'owner'),
    }))
  return [...builtIn, ...custom]
}

/** What happens to candidates' data, from what is in force at this moment. */
export const readProcessing = async (
  call: Needs<'clock' | 'config' | 'reader'>,
  orgId: string,
): Promise<Processing> => {
  const rules = await rulesOf(call, orgId)
  return {
    at: call.clock.now(),
    readers: await readersOf(call, orgId),
    apiKeys: await keysThatMay(call, { orgId, scope: 'evidence:read' }),
    ownRecipients: (await ownRecipientsOf(call, orgId)).filter(({ removedAt }) => removedAt === null),
    destinations: [
      ...storagesOf(await placesOf(call, orgId)),
      ...webhooksOf(await targetsOf(call, orgId)),
      ...applicantSystemsOf(await connectionsOf(call, orgId)),
      ...chatsOf(await integrationsOf(call, orgId)),
      mailOf(call.config),
      ...paymentsOf(call.config),
    ],
    rules,
    longestDays: Math.min(rules.boundDays, maxRetentionDays),
    holds: rules.held + (await heldSessions(call, orgId)),
  }
}
