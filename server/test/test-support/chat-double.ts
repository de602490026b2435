import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Config } from '../../src/kernel/config.ts'
import type { TestServer } from './server.ts'

interface Posted {
  readonly channel: string
  readonly text: string
  readonly blocks: unknown
}

/** Slack's Web API and a workflow of Teams as far as they are called, strict about what they are sent. */
export interface ChatDouble {
  readonly url: string
  readonly asked: { path: string; fields: Record<string, string>; authorization: string | undefined }[]
  readonly posted: Posted[]
  readonly cards: unknown[]
  /** Tokens that are good. */
  readonly tokens: Set<string>
  /** Answers in place of the usual one: a status, headers and a body, or the connection cut. */
  fault:
    | ((path: string) => { status: number; headers?: Record<string, string>; body: string } | 'cut' | undefined)
    | undefined
  isEnterprise: boolean
  workspace: { id: string; name: string }
  stop(): Promise<void>
}

class Refused extends Error {}

const appOfSlack = { clientId: '123.456', clientSecret: 'slack-secret' }
const basic = `Basic ${Buffer.from(`${appOfSlack.clientId}:${appOfSlack.clientSecret}`).toString('base64')}`
const known: Readonly<Record<string, readonly string[]>> = {
  '/api/oauth.v2.access': ['code', 'redirect_uri', 'grant_type', 'refresh_token'],
  '/api/conversations.list': ['exclude_archived', 'types', 'limit', 'cursor'],
  '/api/chat.postMessage': ['channel', 'text', 'blocks', 'unfurl_links', 'unfurl_media'],
  '/api/auth.revoke': ['test'],
}
/** Pages as theirs can be: one of them is empty, and not the last. */
const pages = [
  [{ id: 'C01', name: 'general', is_private: false, is_member: true }],
  [],
  [{ id: 'G02', name: 'hiring', is_private: true, is_member: true }],
]

const readAll = async (request: IncomingMessage): Promise<string> => {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece as Buffer)
  return Buffer.concat(pieces).toString('utf8')
}

const isText = (value: unknown, most: number): value is string =>
  typeof value === 'string' && value !== '' && value.length <= most

const checkBlocks = (blocks: unknown): void => {
  if (!Array.isArray(blocks) || blocks.length > 50) throw new Refused('invalid_blocks')
  for (const { type, text, elements } of blocks) {
    const isSection = type === 'section' && text?.type === 'mrkdwn' && isText(text.text, 3000)
    const button = elements?.[0]
    const isButton =
      type === 'actions' && button?.type === 'button' && isText(button.text?.text, 75) && URL.canParse(button.url)
    if (!isSection && !isButton) throw new Refused('invalid_blocks')
  }
}

const checkCard = (given: unknown): boolean => {
  const [attachment] = (given as { attachments?: Record<string, unknown>[] }).attachments ?? []
  const content = attachment?.['content'] as Record<string, unknown> | undefined
  return (
    attachment?.['contentType'] === 'application/vnd.microsoft.card.adaptive' &&
    attachment['contentUrl'] === null &&
    content?.['type'] === 'AdaptiveCard' &&
    content['version'] === '1.4'
  )
}

export const startChatDouble = async (): Promise<ChatDouble> => {
  let issued = 0
  const codes = new Set<string>()
  const double: Omit<ChatDouble, 'url' | 'stop'> = {
    ...{ asked: [], posted: [], cards: [], tokens: new Set(), fault: undefined, isEnterprise: false },
    workspace: { id: 'T01', name: 'Harbour' },
  }
  const exchange = (fields: Record<string, string>, authorization: string | undefined): object => {
    if (authorization !== basic) throw new Refused('bad_client_secret')
    const { code = '', redirect_uri: redirect = '' } = fields
    if (!code.startsWith('code-') || codes.has(code)) throw new Refused('invalid_code')
    if (!redirect.endsWith('/v1/integrations/comms/callback/slack')) throw new Refused('bad_redirect_uri')
    codes.add(code)
    issued += 1
    const token = `xoxb-${issued}`
    double.tokens.add(token)
    return {
      ...{ access_token: token, token_type: 'bot', scope: 'chat:write', bot_user_id: 'U0', app_id: 'A0' },
      ...{ team: double.isEnterprise ? null : double.workspace, is_enterprise_install: double.isEnterprise },
      ...{ enterprise: null, authed_user: { id: 'U1' } },
    }
  }
  const answer = (
    path: string,
    body: string,
    fields: Record<string, string>,
    authorization: string | undefined,
  ): object => {
    const names = known[path]
    if (!names) throw new Refused('unknown_method')
    const sent = body.startsWith('{') ? (JSON.parse(body) as Record<string, unknown>) : fields
    if (Object.keys(sent).some((name) => !names.includes(name))) throw new Refused('invalid_arg_name')
    if (path === '/api/oauth.v2.access') return exchange(fields, authorization)
    const token = authorization?.replace('Bearer ', '') ?? ''
    if (token === '') throw new Refused('not_authed')
    if (!double.tokens.has(token)) throw new Refused('invalid_auth')
    if (path === '/api/auth.revoke') return { revoked: double.tokens.delete(token) }
    if (path === '/api/conversations.list') {
      if (!(Number(fields['limit']) < 1000)) throw new Refused('invalid_limit')
      const at = Number(fields['cursor'] ?? '0')
      const next = at + 1 < pages.length ? String(at + 1) : ''
      return { channels: pages[at], response_metadata: { next_cursor: next } }
    }
    const { channel, text, blocks } = sent as unknown as Posted
    if (!pages.flat().some(({ id }) => id === channel)) throw new Refused('channel_not_found')
    if (!isText(text, 40_000)) throw new Refused('no_text')
    checkBlocks(blocks)
    double.posted.push({ channel, text, blocks })
    return { channel, ts: '1503435956.000247', message: { text } }
  }
  const server = createServer((request, response) => {
    void readAll(request).then((body) => {
      const url = new URL(request.url ?? '/', 'http://double')
      const { authorization } = request.headers
      const fields = Object.fromEntries(new URLSearchParams(request.method === 'POST' ? body : url.search))
      double.asked.push({ path: url.pathname, fields, authorization })
      const fault = double.fault?.(url.pathname)
      if (fault === 'cut') return request.socket.destroy()
      if (fault) return response.writeHead(fault.status, fault.headers ?? {}).end(fault.body)
      if (url.pathname.startsWith('/workflows/')) {
        if (url.searchParams.get('sig') !== 'good') return response.writeHead(401).end()
        if (!checkCard(JSON.parse(body))) return response.writeHead(400).end()
        double.cards.push(JSON.parse(body))
        return response.writeHead(202).end()
      }
      // All that they refuse comes with 200.
      response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' })
      try {
        response.end(JSON.stringify({ ok: true, ...answer(url.pathname, body, fields, authorization) }))
      } catch (error) {
        response.end(JSON.stringify({ ok: false, error: error instanceof Refused ? error.message : 'fatal_error' }))
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return Object.assign(double, {
    url: `http://127.0.0.1:${port}`,
    stop: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  })
}

/** Gives a running server an app of Slack, which is the double. */
export const haveSlack = ({ app }: TestServer, { url }: Pick<ChatDouble, 'url'>): void => {
  Object.assign(app.config as { -readonly [K in keyof Config]: Config[K] }, { slack: { api: url, ...appOfSlack } })
}

let shared: Promise<ChatDouble> | undefined
/** One for all examples of a process; it holds nothing that outlives it. */
export const sharedChatDouble = (): Promise<ChatDouble> => {
  shared ??= startChatDouble()
  return shared
}
