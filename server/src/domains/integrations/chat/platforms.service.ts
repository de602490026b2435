import { type ChatPlatform, ServiceError } from '@integrity/protocol'
import type { Needs } from '../../../kernel/call.ts'
import { createSlack } from '../../../platform/chat/slack.ts'
import { createTeams } from '../../../platform/chat/teams.ts'
import type { Chat, ChatAccess } from '../../../platform/chat/types.ts'
import type { IntegrationRow } from './chat.types.ts'

type Asks = Needs<'config' | 'httpOut'>

/** What the operator has to set up before a platform can be installed; null where nothing. */
export const lackOfPlatform = ({ config }: Needs<'config'>, provider: ChatPlatform): string | null => {
  if (provider === 'teams') return null
  const { clientId, clientSecret } = config.slack
  const needed = { SLACK_CLIENT_ID: clientId, SLACK_CLIENT_SECRET: clientSecret }
  const missing = Object.entries(needed).flatMap(([name, value]) => (value === undefined ? [name] : []))
  return missing.length === 0 ? null : `not set: ${missing.join(', ')}`
}

export const refuseUnconfigured = (call: Needs<'config'>, provider: ChatPlatform): void => {
  const lack = lackOfPlatform(call, provider)
  if (lack === null) return
  throw new ServiceError('service_unavailable', `${provider} is not configured here (${lack})`, {
    extra: { reason: 'not_configured' },
  })
}

export const chatOf = (call: Asks, provider: ChatPlatform): Chat =>
  provider === 'slack' ? createSlack(call.config.slack, call.httpOut) : createTeams(call.httpOut)

const contextOf = (orgId: string, id: string): string => `chat:${orgId}:${id}`

export const sealSecret = (
  call: Needs<'keyring'>,
  { orgId, id, secret }: { readonly orgId: string; readonly id: string; readonly secret: string },
): string => call.keyring.wrap(Buffer.from(secret, 'utf8'), contextOf(orgId, id))

export const accessOf = (
  call: Needs<'keyring'>,
  {
    orgId,
    integration: { id, provider, wrappedSecret },
  }: { readonly orgId: string; readonly integration: IntegrationRow },
): ChatAccess => ({
  provider,
  secret: wrappedSecret === null ? '' : call.keyring.unwrap(wrappedSecret, contextOf(orgId, id)).toString('utf8'),
})
