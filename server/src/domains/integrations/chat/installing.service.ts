import { randomBytes } from 'node:crypto'
import { announcedAtFirst, type BodyOf, type EndpointMap, invalid, ServiceError } from '@integrity/protocol'
import type { By, Needs } from '../../../kernel/call.ts'
import type { ActorOf } from '../../../kernel/identity/actor.ts'
import { exchangeSlackCode, slackInstallUrl } from '../../../platform/chat/slack.ts'
import { isWorkflowHost, workflowChannel } from '../../../platform/chat/teams.ts'
import { hashSecret } from '../../../platform/crypto/secrets.ts'
import { asRefusal } from '../../../platform/provider/provider-failed.ts'
import { lockHolder } from '../../organisation/people/guards.service.ts'
import type { IntegrationRow } from './chat.types.ts'
import { insertState, listIntegrations, saveIntegration, takeStateAcrossOrgs } from './integrations.store.ts'
import { refuseUnconfigured, sealSecret } from './platforms.service.ts'

/** So long a browser may take at the platform; the code that it brings back lives as long. */
const installMs = 10 * 60_000
const maxIntegrations = 20

type Changes = By<ActorOf<'user'>> & Needs<'audit' | 'clock' | 'config' | 'keyring' | 'newId' | 'tx'>
type Kept = Needs<'audit' | 'clock' | 'keyring' | 'newId' | 'tx'>

const redirectOf = ({ config }: Needs<'config'>): string => `${config.baseUrl}/v1/integrations/comms/callback/slack`

interface Installed {
  readonly provider: IntegrationRow['provider']
  readonly workspaceId: string
  readonly workspace: string
  readonly secret: string
  readonly channel?: { readonly id: string; readonly name: string }
}

/** The same workspace again gets its new access, and keeps what was chosen. */
const keepInstalled = async (
  call: Kept,
  orgId: string,
  userId: string,
  installed: Installed,
): Promise<IntegrationRow> => {
  const { tx } = call
  // They may have lost the right to it while they were at the platform.
  await lockHolder(call, { orgId, userId, permission: 'integration.manage' })
  const all = await listIntegrations(tx, orgId)
  const { provider, workspaceId, workspace, secret, channel } = installed
  const before = all.find((one) => one.provider === provider && one.workspaceId === workspaceId)
  if (!before && all.length >= maxIntegrations)
    throw new ServiceError('conflict', `there are ${maxIntegrations} chat apps already, which is the limit`)
  const id = before?.id ?? call.newId('cht')
  const row: IntegrationRow = {
    id,
    provider,
    workspaceId,
    workspace,
    version: before?.version ?? 1,
    status: 'connected',
    problem: null,
    wrappedSecret: sealSecret(call, { orgId, id, secret }),
    channelId: before?.channelId ?? channel?.id ?? null,
    channelName: before?.channelName ?? channel?.name ?? null,
    events: before?.events ?? [...announcedAtFirst],
    reviewThreshold: before?.reviewThreshold ?? null,
    showCandidateLabel: before?.showCandidateLabel ?? false,
    aboveThreshold: before?.aboveThreshold ?? false,
    connectedAt: before?.connectedAt ?? call.clock.now(),
    disconnectedAt: null,
  }
  await saveIntegration(tx, orgId, row)
  const actor = { kind: 'user', id: userId } as const
  const payload = { provider, workspace, isNew: before === undefined }
  await call.audit.append({ tx, scope: { orgId }, actor }, { action: 'chat.installed', target: id, payload })
  return row
}

const checkWorkflow = ({ config }: Needs<'config'>, given: string): string => {
  const url = new URL(given)
  if (url.username !== '' || url.password !== '') throw invalid('url', 'must not hold a user name or a password')
  if (!config.webhookAllowPrivate && (url.protocol !== 'https:' || !isWorkflowHost(url.hostname)))
    throw invalid(
      'url',
      'must be the address of a workflow: https, at logic.azure.com or environment.api.powerplatform.com',
    )
  return url.href
}

/** Begins an install; with Teams it is done with that. */
export const beginInstall = async (
  call: Changes,
  body: BodyOf<EndpointMap['portal.chat.install']>,
): Promise<{ url: string | null; integration: IntegrationRow | null }> => {
  const { tx, actor } = call
  const { orgId, id: userId } = actor
  refuseUnconfigured(call, body.provider)
  if (body.provider === 'teams') {
    const secret = checkWorkflow(call, body.url)
    const workspaceId = hashSecret(secret).slice(0, 32)
    const channel = { id: workflowChannel, name: body.label }
    const installed = { provider: 'teams', workspaceId, workspace: body.label, secret, channel } as const
    return { url: null, integration: await keepInstalled(call, orgId, userId, installed) }
  }
  const state = randomBytes(24).toString('base64url')
  const expiresAt = call.clock.now() + installMs
  await insertState(tx, hashSecret(state), { orgId, userId, provider: 'slack', expiresAt })
  const begun = { action: 'chat.install_begun', target: orgId, payload: { provider: body.provider } } as const
  await call.audit.append({ tx, scope: { orgId }, actor }, begun)
  return { url: slackInstallUrl(call.config.slack, state, redirectOf(call)), integration: null }
}

/** What a browser has brought back: who began the install, and what the platform gave for it; nothing where it was declined. */
export interface Brought {
  readonly begun: { readonly orgId: string; readonly userId: string }
  readonly found: Pick<Installed, 'secret' | 'workspace' | 'workspaceId'> | undefined
}

/** Before the transaction: takes the state, which is used up with that, and asks the platform for what its code stands for. */
export const askForAccess = async (
  call: By<ActorOf<'account'>> & Needs<'clock' | 'config' | 'db' | 'httpOut'>,
  { state, code }: { readonly state: string; readonly code?: string | undefined },
): Promise<Brought> => {
  refuseUnconfigured(call, 'slack')
  const begun = await call.db.transact((tx) => takeStateAcrossOrgs(tx, hashSecret(state)))
  const isTheirs = begun?.userId === call.actor.id && begun.expiresAt > call.clock.now()
  if (!begun || !isTheirs)
    throw new ServiceError(
      'conflict',
      'you did not begin this install, or it is over or already used: begin it again',
      {
        extra: { reason: 'not_begun_here' },
      },
    )
  if (code === undefined) return { begun, found: undefined }
  try {
    const redirect = redirectOf(call)
    return { begun, found: await exchangeSlackCode(call.config.slack, call.httpOut, { code, redirect }) }
  } catch (failure) {
    throw asRefusal(failure)
  }
}

/** @returns where the browser goes on */
export const finishInstall = async (
  call: Kept & Needs<'config'>,
  { begun: { orgId, userId }, found }: Brought,
): Promise<string> => {
  if (found) await keepInstalled(call, orgId, userId, { provider: 'slack', ...found })
  return `${call.config.baseUrl}/account/#chat.${found ? 'installed' : 'declined'}`
}
