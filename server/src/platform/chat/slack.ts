import { cutText, lineOf } from '@integrity/protocol'
import * as z from 'zod'
import type { HttpOut } from '../http-out/http-out.ts'
import { askProvider } from '../provider/ask-provider.ts'
import { parsed } from '../provider/parsed.ts'
import { ProviderFailed } from '../provider/provider-failed.ts'
import type { Announcement, Channel, Chat, SlackSettings } from './types.ts'

type Http = Pick<HttpOut, 'request'>

/** What of a workspace the app is given (docs.slack.dev/reference/scopes). */
const scopes = 'chat:write,chat:write.public,channels:read,groups:read'
const pageRows = 200
const maxChannels = 1000

/** Codes of their Web API in words. All of them come with status 200. */
const ends: Readonly<Record<string, string>> = {
  invalid_auth: 'Slack does not know this access any more',
  not_authed: 'Slack does not know this access any more',
  account_inactive: 'the workspace or the app was switched off in Slack',
  token_revoked: 'the access was taken back in Slack',
  token_expired: 'the access has expired in Slack',
}
const refusals: Readonly<Record<string, string>> = {
  not_in_channel: 'the app is not in the channel: invite it there in Slack, or choose another one',
  channel_not_found: 'there is no such channel for the app any more: choose another one',
  is_archived: 'the channel is archived: choose another one',
  restricted_action: 'the workspace does not let the app post there',
  msg_too_long: 'the message is too long for Slack',
  invalid_blocks: 'Slack does not take the message as it is written',
  missing_scope: 'the app lacks a right: install it anew',
  no_permission: 'the app lacks a right: install it anew',
  channel_is_archived: 'the channel is archived: choose another one',
  is_inactive: 'the channel is frozen: choose another one',
  restricted_action_read_only_channel: 'nobody but its owners may post in the channel: choose another one',
  restricted_action_thread_only_channel: 'the channel takes answers in threads alone: choose another one',
  posting_to_channel_denied: 'the workspace does not let the app post there',
  access_denied: 'the workspace does not let the app do that',
  ekm_access_denied: "the workspace's administrators have suspended the app",
  team_access_not_granted: 'the app is not approved for this workspace',
}
/** `team_added_to_org`, `org_login_required`: the workspace is being moved, and is there again after that. */
const later = new Set([
  ...['ratelimited', 'rate_limited', 'accesslimited', 'fatal_error', 'internal_error', 'request_timeout'],
  ...['service_unavailable', 'team_added_to_org', 'org_login_required'],
])

const failureOf = (code: string): ProviderFailed => {
  if (ends[code] !== undefined) return new ProviderFailed('ends', ends[code])
  if (later.has(code)) return new ProviderFailed('waits', `Slack is in trouble (${code})`)
  const known = refusals[code] ?? `Slack refuses it (${/^[a-z_]{1,60}$/.test(code) ? code : 'no reason'})`
  return new ProviderFailed('refused', known)
}

const outcome = z.looseObject({ ok: z.boolean(), error: z.string().nullish() })

const read = <T>(text: string, shape: z.ZodType<T>): T => {
  const { ok, error } = parsed('Slack', text, outcome)
  if (!ok) throw failureOf(error ?? '')
  return parsed('Slack', text, shape)
}

/** Their markup knows three characters that mean something. */
const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

const blocksOf = ({ text, link }: Announcement) => [
  { type: 'section', text: { type: 'mrkdwn', text: cutText(escaped(text), 2900).replace(/&[a-z]*$/, '') } },
  { type: 'actions', elements: [{ type: 'button', text: { type: 'plain_text', text: link.label }, url: link.url }] },
]

export const slackInstallUrl = ({ api, clientId = '' }: SlackSettings, state: string, redirect: string): string => {
  const url = new URL('/oauth/v2/authorize', api)
  for (const [name, value] of Object.entries({ client_id: clientId, scope: scopes, redirect_uri: redirect, state }))
    url.searchParams.set(name, value)
  return url.href
}

const granted = z.looseObject({
  access_token: z.string(),
  is_enterprise_install: z.boolean().nullish(),
  team: z.looseObject({ id: z.string(), name: z.string().nullish() }).nullish(),
})

/** Exchanges the code of an install, which is good once and for ten minutes. */
export const exchangeSlackCode = async (
  { api, clientId = '', clientSecret = '' }: SlackSettings,
  http: Http,
  { code, redirect }: { readonly code: string; readonly redirect: string },
): Promise<{ secret: string; workspaceId: string; workspace: string }> => {
  const authorization = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`
  const { text } = await askProvider(http, 'Slack', {
    method: 'POST',
    url: `${api}/api/oauth.v2.access`,
    headers: { authorization, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ code, redirect_uri: redirect }).toString(),
  })
  const { access_token: secret, team, is_enterprise_install: isWhole } = read(text, granted)
  if (isWhole || !team)
    throw new ProviderFailed('refused', 'install the app in one workspace, not in a whole enterprise')
  return { secret, workspaceId: team.id, workspace: lineOf(team.name ?? '', 200) || team.id }
}

const channelPage = z.looseObject({
  channels: z.array(
    z.looseObject({
      id: z.string(),
      name: z.string(),
      is_private: z.boolean().nullish(),
      is_member: z.boolean().nullish(),
    }),
  ),
  response_metadata: z.looseObject({ next_cursor: z.string().nullish() }).nullish(),
})

export const createSlack = ({ api }: SlackSettings, http: Http): Chat => ({
  async channels({ secret }) {
    const found: Channel[] = []
    for (let cursor = ''; ; ) {
      const query = new URLSearchParams({
        types: 'public_channel,private_channel',
        exclude_archived: 'true',
        limit: String(pageRows),
        ...(cursor !== '' && { cursor }),
      })
      const url = `${api}/api/conversations.list?${query}`
      const headers = { authorization: `Bearer ${secret}` }
      const { text } = await askProvider(http, 'Slack', { method: 'GET', url, headers })
      const { channels, response_metadata: more } = read(text, channelPage)
      // Of private ones they name those alone that the app is in. A page may be empty and yet not be the last.
      for (const { id, name, is_private: isPrivate } of channels)
        found.push({ id, name, isPrivate: isPrivate ?? false })
      cursor = more?.next_cursor ?? ''
      if (cursor === '' || found.length >= maxChannels) return found.slice(0, maxChannels)
    }
  },
  async post({ secret }, channelId, announcement) {
    const { text, link } = announcement
    const message = { channel: channelId, text: escaped(`${text} ${link.url}`), blocks: blocksOf(announcement) }
    const answer = await askProvider(http, 'Slack', {
      method: 'POST',
      url: `${api}/api/chat.postMessage`,
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json; charset=utf-8' },
      body: JSON.stringify({ ...message, unfurl_links: false, unfurl_media: false }),
    })
    read(answer.text, outcome)
  },
  async revoke({ secret }) {
    const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/x-www-form-urlencoded' }
    const { text } = await askProvider(http, 'Slack', {
      method: 'POST',
      url: `${api}/api/auth.revoke`,
      headers,
      body: '',
    })
    return read(text, z.looseObject({ revoked: z.boolean().nullish() })).revoked ?? true
  },
})
