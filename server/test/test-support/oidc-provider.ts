import { createSign, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'

interface Person {
  readonly email: string
  readonly emailVerified?: boolean
  readonly name?: string
  readonly groups?: readonly string[]
}
type Claims = Record<string, unknown>
type Tamper = (token: { header: Claims; claims: Claims }, key: KeyObject) => string

export interface OidcPeer {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** Who signs in next; their subject is the address. */
  person: Person
  /** Writes another ID token in place of the provider's. */
  tamper: Tamper | undefined
  /** How often the document was read. */
  readonly discovered: number
  /** From now on the provider signs with another key, and publishes that one alone. */
  rotate(): void
  close(): Promise<void>
}

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Signs as the provider does, so that everything but the changed claim is right. */
export const signedBy = (key: KeyObject, header: Claims, claims: Claims): string => {
  const text = `${part(header)}.${part(claims)}`
  return `${text}.${createSign('sha256').update(text).sign(key, 'base64url')}`
}

const newKey = (kid: string) => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return { key: privateKey, jwk: { ...privateKey.export({ format: 'jwk' }), kid, alg: 'RS256', use: 'sig' } }
}

const client = { clientId: 'integrity', clientSecret: 'a secret of the client, long enough' }

/** `oidc-provider`, a certified library, on loopback; everybody signs in and consents at once. */
const providerOf = (issuer: string, redirectUri: string, peer: { person: Person }, jwk: object): Provider =>
  new Provider(issuer, {
    clients: [
      {
        client_id: client.clientId,
        client_secret: client.clientSecret,
        redirect_uris: [redirectUri],
        response_types: ['code'],
        grant_types: ['authorization_code'],
      },
    ],
    jwks: { keys: [jwk as never] },
    cookies: { keys: ['of the test'] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'groups'] },
    features: { devInteractions: { enabled: false } },
    pkce: { required: () => true },
    ttl: { IdToken: 3600, AccessToken: 3600, AuthorizationCode: 60, Session: 3600, Interaction: 600, Grant: 3600 },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    findAccount: (_, id) => {
      const { email, emailVerified = true, name = 'A Person', groups = [] } = peer.person
      const claims = { sub: id, email, email_verified: emailVerified, name, groups }
      return { accountId: id, claims: () => claims }
    },
  })

const interact = async (provider: Provider, accountId: string, request: IncomingMessage, response: ServerResponse) => {
  const { params } = await provider.interactionDetails(request, response)
  const grant = new provider.Grant({ accountId, clientId: String(params['client_id']) })
  grant.addOIDCScope(String(params['scope']))
  const result = { login: { accountId }, consent: { grantId: await grant.save() } }
  await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false })
}

const alterToken = (response: ServerResponse, tamper: Tamper, key: KeyObject): void => {
  const end = response.end.bind(response) as (chunk: string) => ServerResponse
  response.end = ((chunk: Buffer | string) => {
    const body = JSON.parse(chunk.toString()) as { id_token?: string }
    const [header = '', claims = ''] = body.id_token?.split('.') ?? []
    const read = (text: string) => JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as Claims
    const text = JSON.stringify({ ...body, id_token: tamper({ header: read(header), claims: read(claims) }, key) })
    response.setHeader('content-length', Buffer.byteLength(text))
    return end(text)
  }) as typeof response.end
}

export const startOidcPeer = async (redirectUri: string): Promise<OidcPeer> => {
  let handle: (request: IncomingMessage, response: ServerResponse) => unknown = () => undefined
  const server = createServer((request, response) => void handle(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const state = { person: { email: 'nobody@sso.example' } as Person, tamper: undefined as Tamper | undefined }
  let discovered = 0
  let generation = 0
  const install = () => {
    generation += 1
    const made = newKey(`key-${generation}`)
    const provider = providerOf(issuer, redirectUri, state, made.jwk)
    const callback = provider.callback()
    handle = (request, response) => {
      const { url = '' } = request
      if (url.startsWith('/.well-known/')) discovered += 1
      if (url.startsWith('/interaction/')) return interact(provider, state.person.email, request, response)
      if (url === '/token' && state.tamper) alterToken(response, state.tamper, made.key)
      return callback(request, response)
    }
  }
  install()
  return Object.defineProperties({ issuer, ...client } as OidcPeer, {
    person: {
      get: () => state.person,
      set: (person: Person) => {
        state.person = person
      },
    },
    tamper: {
      get: () => state.tamper,
      set: (tamper: Tamper | undefined) => {
        state.tamper = tamper
      },
    },
    discovered: { get: () => discovered },
    rotate: { value: install },
    close: {
      value: () =>
        new Promise<void>((resolve) => {
          server.closeAllConnections()
          server.close(() => resolve())
        }),
    },
  })
}

/** What a browser does at the provider: follows its redirects with its cookies, until it is sent back. */
export const walkThrough = async (from: string, backTo: string): Promise<string> => {
  const jar = new Map<string, string>()
  let url = from
  for (let step = 0; step < 10 && !url.startsWith(backTo); step += 1) {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(url, { redirect: 'manual', headers: { cookie } })
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      jar.set(name, value)
    }
    const next = response.headers.get('location')
    if (next === null) throw new Error(`${url} answers ${response.status}: ${(await response.text()).slice(0, 500)}`)
    url = new URL(next, url).href
  }
  return url
}
