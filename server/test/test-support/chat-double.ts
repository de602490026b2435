import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Config } from '../../src/kernel/config.ts'
import { grown } from './ats-systems.ts'
import { type AskedOfPeer, described } from './described.ts'
import type { TestServer } from './server.ts'

interface Posted {
  readonly channel: string
  readonly text: string
  readonly blocks: unknown
}

/** Slack's Web API and a workflow of Teams as far as they are called, each held to its description. */
export interface ChatDouble {
  readonly url: string
  readonly asked: AskedOfPeer[]
  readonly posted: Posted[]
  readonly cards: unknown[]
  /** Tokens that are good. */
  readonly tokens: Set<string>
  /** Answers in place of the usual one: a status, headers and a body, or the connection cut. */
  fault:
    | ((path: string) => { status: number; headers?: Record<string, string>; body: string } | 'cut' | undefined)
    | undefined
  /** What was asked or answered in another way than a description says. */
  readonly broken: string[]
  /** Its answers have fields that came later than their description. */
  isGrown: boolean
  isEnterprise: boolean
  workspace: { id: string; name: string }
  stop(): Promise<void>
}

class Refused extends Error {}

const appOfSlack = { clientId: '123.456', clientSecret: 'slack-secret' }
const basic = `Basic ${Buffer.from(`${appOfSlack.clientId}:${appOfSlack.clientSecret}`).toString('base64')}`
const slack = described('slack')
const teams = described('teams')
/** Pages as theirs can be: one of them is empty, and not the last. */
const pages = [[{ id: 'C0GENERAL', name: 'general' }], [], [{ id: 'G00HIRING', name: 'hiring', is_private: true }]]

const readAll = async (request: IncomingMessage): Promise<string> => {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece as Buffer)
  return Buffer.concat(pieces).toString('utf8')
}

export const startChatDouble = async (): Promise<ChatDouble> => {
  let issued = 0
  const codes = new Set<string>()
  const double: Omit<ChatDouble, 'url' | 'stop'> = {
    asked: [],
    posted: [],
    cards: [],
    broken: [],
    tokens: new Set(),
    fault: undefined,
    isEnterprise: false,
    isGrown: false,
    workspace: { id: 'T01', name: 'Harbour' },
  }
  const exchange = (fields: Record<string, string>, authorization: string | undefined, example: object): object => {
    if (authorization !== basic) throw new Refused('bad_client_secret')
    const { code = '', redirect_uri: redirect = '' } = fields
    if (!code.startsWith('code-') || codes.has(code)) throw new Refused('invalid_code')
    if (!redirect.endsWith('/v1/integrations/comms/callback/slack')) throw new Refused('bad_redirect_uri')
    codes.add(code)
    issued += 1
    const token = `xoxb-${issued}`
    double.tokens.add(token)
    const isWhole = double.isEnterprise
    return { ...example, access_token: token, team: isWhole ? null : double.workspace, is_enterprise_install: isWhole }
  }
  const answer = ({ path, query, body, headers: { authorization } }: AskedOfPeer, example: never): object => {
    const token = authorization?.replace('Bearer ', '') ?? ''
    if (path === '/api/oauth.v2.access')
      return exchange(Object.fromEntries(new URLSearchParams(body)), authorization, example)
    if (!double.tokens.has(token)) throw new Refused('invalid_auth')
    if (path === '/api/auth.revoke') return { ...(example as object), revoked: double.tokens.delete(token) }
    if (path === '/api/conversations.list') {
      const at = Number(query.get('cursor') ?? '0')
      const next = at + 1 < pages.length ? String(at + 1) : ''
      const [one] = (example as { channels: object[] }).channels
      const channels = pages[at]?.map((channel) => ({ ...one, ...channel })) ?? []
      return { ok: true, channels, response_metadata: { next_cursor: next } }
    }
    const { channel, text, blocks } = JSON.parse(body) as Posted
    if (!pages.flat().some(({ id }) => id === channel)) throw new Refused('channel_not_found')
    double.posted.push({ channel, text, blocks })
    return { ...(example as object), channel }
  }
  const answerOfSlack = (asked: AskedOfPeer): object => {
    try {
      const said = answer(asked, slack.example(asked).body)
      double.broken.push(...slack.wrongInAnswer(asked, said))
      return double.isGrown ? (grown(said) as object) : said
    } catch (error) {
      if (!(error instanceof Refused)) double.broken.push(String(error))
      return { ok: false, error: error instanceof Refused ? error.message : 'fatal_error' }
    }
  }
  const server = createServer((request, response) => {
    void readAll(request).then((body) => {
      const url = new URL(request.url ?? '/', 'http://double')
      const { method = '', headers } = request
      const asked: AskedOfPeer = { method, path: url.pathname, query: url.searchParams, headers, body }
      double.asked.push(asked)
      const fault = double.fault?.(url.pathname)
      if (fault === 'cut') return request.socket.destroy()
      if (fault) return response.writeHead(fault.status, fault.headers ?? {}).end(fault.body)
      const isTeams = url.pathname.startsWith('/workflows/')
      const wrong = (isTeams ? teams : slack).wrongIn(asked)
      double.broken.push(...wrong)
      if (wrong.length > 0) return response.writeHead(400).end(wrong.join('\n'))
      if (isTeams) {
        if (url.searchParams.get('sig') !== 'good') return response.writeHead(401).end()
        double.cards.push(JSON.parse(body))
        return response.writeHead(teams.example(asked).status).end()
      }
      // All that they refuse comes with 200.
      response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' })
      return response.end(JSON.stringify(answerOfSlack(asked)))
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
