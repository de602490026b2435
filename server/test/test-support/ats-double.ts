import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { AtsProvider } from '@integrity/protocol'
import type { Config } from '../../src/kernel/config.ts'
import type { TestServer } from './server.ts'

interface Asked {
  readonly system: AtsProvider | 'auth'
  readonly method: string
  readonly path: string
  readonly query: Record<string, string>
  readonly body: string
}
type Fault = { status: number; headers?: Record<string, string>; body?: string } | 'cut'

/** Somebody who has applied, in every system under the same ids. */
export interface TheirApplicant {
  readonly applicationId: string
  readonly candidateId: string
  readonly first: string
  readonly last: string
  readonly email: string | null
  stage: { id: string; name: string }
}

/** Four applicant tracking systems as far as they are called, strict about what they are sent. */
export interface AtsDouble {
  readonly url: string
  readonly asked: Asked[]
  readonly notes: { system: AtsProvider; about: string; text: string }[]
  readonly people: Map<string, TheirApplicant>
  /** Answers in place of the usual one. `after`: what was asked is done, but its answer is lost. */
  fault: ((asked: Asked) => Fault | 'after' | undefined) | undefined
  /** Tokens of Greenhouse that are good. */
  readonly tokens: Set<string>
  stop(): Promise<void>
}

class Refused extends Error {
  readonly status: number
  constructor(status: number, message = 'refused') {
    super(message)
    this.status = status
  }
}

export const theirCredentials = {
  greenhouse: { clientId: 'gh-client', clientSecret: 'gh-client-secret', userId: '4711' },
  lever: { apiKey: 'lever-key' },
  ashby: { apiKey: 'ashby-key' },
  teamtailor: { apiKey: 'tt-key', userId: '9' },
} as const satisfies Record<AtsProvider, object>

const basic = (name: string, secret = '') => `Basic ${Buffer.from(`${name}:${secret}`).toString('base64')}`
const need = (condition: unknown, message: string): void => {
  if (!condition) throw new Refused(422, message)
}
const only = (given: object, ...names: string[]): void => {
  for (const name of Object.keys(given)) need(names.includes(name), `unknown: ${name}`)
}

const readAll = async (request: IncomingMessage): Promise<string> => {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece as Buffer)
  return Buffer.concat(pieces).toString('utf8')
}

type Double = Omit<AtsDouble, 'url' | 'stop'>
type Headers = IncomingMessage['headers']

const token = (double: Double, { body }: Asked, { authorization }: Headers): object => {
  const { clientId, clientSecret, userId } = theirCredentials.greenhouse
  if (authorization !== basic(clientId, clientSecret)) throw new Refused(401)
  const fields = Object.fromEntries(new URLSearchParams(body))
  only(fields, 'grant_type', 'sub')
  need(fields['grant_type'] === 'client_credentials' && fields['sub'] === userId, 'grant_type, sub')
  const access = `token-${double.tokens.size + 1}`
  double.tokens.add(access)
  return { access_token: access, token_type: 'Bearer', expires_at: '2999-01-01T00:00:00Z' }
}

const greenhouse = (double: Double, { method, path, query, body }: Asked, { authorization }: Headers): object => {
  if (!double.tokens.has(authorization?.replace('Bearer ', '') ?? '')) throw new Refused(401)
  const ofIds = () => [...double.people.values()]
  switch (`${method} ${path}`) {
    case 'GET /v3/users':
      only(query, 'per_page')
      return [{ id: 4711, primary_email: 'admin@example.org' }]
    case 'GET /v3/applications':
      only(query, 'ids')
      return ofIds()
        .filter(({ applicationId }) => applicationId === query['ids'])
        .map(({ applicationId, candidateId, stage }) => ({
          ...{ id: Number(applicationId), candidate_id: Number(candidateId), status: 'in_process' },
          ...{ job_interview_stage_id: Number(stage.id), stage_name: stage.name },
        }))
    case 'GET /v3/candidates':
      only(query, 'ids')
      return ofIds()
        .filter(({ candidateId }) => candidateId === query['ids'])
        .map(({ candidateId, first, last, email }) => ({
          ...{ id: Number(candidateId), first_name: first, last_name: last },
          email_addresses: email === null ? [] : [{ value: email, type: 'personal' }],
        }))
    case 'GET /v3/notes':
      only(query, 'candidate_ids')
      return double.notes
        .filter(({ system, about }) => system === 'greenhouse' && about === query['candidate_ids'])
        .map(({ text }, id) => ({ id, body: text }))
    case 'POST /v3/notes': {
      const note = JSON.parse(body)
      only(note, 'candidate_id', 'user_id', 'body', 'visibility', 'note_type')
      need(Number.isInteger(note.candidate_id) && Number.isInteger(note.user_id), 'ids are numbers')
      need(typeof note.body === 'string' && ['admin_only', 'private', 'public'].includes(note.visibility), 'body')
      double.notes.push({ system: 'greenhouse', about: String(note.candidate_id), text: note.body })
      return { id: double.notes.length }
    }
    default:
      throw new Refused(404)
  }
}

const lever = (double: Double, { method, path, query, body }: Asked, { authorization }: Headers): object => {
  if (authorization !== basic(theirCredentials.lever.apiKey)) throw new Refused(401)
  if (method === 'GET' && path === '/v1/users') return { data: [], hasNext: false }
  const [, id = '', sub] = /^\/v1\/opportunities\/([\w-]+)(\/notes)?$/.exec(path) ?? []
  const person = double.people.get(id)
  if (!person) throw new Refused(404)
  const { first, last, email, stage } = person
  if (method === 'GET' && sub === undefined) {
    only(query, 'expand')
    const of = { id, name: `${first} ${last}`, emails: email === null ? [] : [email] }
    return { data: { ...of, stage: query['expand'] === 'stage' ? { id: stage.id, text: stage.name } : stage.id } }
  }
  if (method === 'GET')
    return { data: double.notes.filter(({ about }) => about === id).map(({ text }) => ({ fields: [{ value: text }] })) }
  const note = JSON.parse(body)
  only(note, 'value', 'secret', 'notifyFollowers')
  need(typeof note.value === 'string' && !/@\w/.test(note.value), 'value')
  double.notes.push({ system: 'lever', about: id, text: note.value })
  return { data: { noteId: 'n' } }
}

const ashby = (double: Double, { method, path, body }: Asked, { authorization }: Headers): object => {
  if (authorization !== basic(theirCredentials.ashby.apiKey)) throw new Refused(401)
  need(method === 'POST', 'POST')
  const given = JSON.parse(body)
  const refused = { success: false, errors: ['not_found'], errorInfo: { code: 'not_found', message: 'no such thing' } }
  switch (path) {
    case '/apiKey.info':
      return { success: true, results: { title: 'Key', scopes: [] } }
    case '/application.info': {
      only(given, 'applicationId')
      const person = double.people.get(given.applicationId)
      if (!person) return refused
      return { success: true, results: ashbyApplication(person) }
    }
    case '/candidate.listNotes':
      only(given, 'candidateId')
      return {
        success: true,
        results: double.notes.filter(({ about }) => about === given.candidateId).map(({ text }) => ({ content: text })),
      }
    case '/candidate.createNote':
      only(given, 'candidateId', 'note', 'sendNotifications')
      need(given.note.type === 'text/plain' && typeof given.note.value === 'string', 'note')
      double.notes.push({ system: 'ashby', about: given.candidateId, text: given.note.value })
      return { success: true, results: { id: 'n' } }
    default:
      throw new Refused(404)
  }
}

const teamtailor = (double: Double, { method, path, query, body }: Asked, headers: Headers): object => {
  if (headers.authorization !== `Token token=${theirCredentials.teamtailor.apiKey}`) throw new Refused(401)
  need(headers['x-api-version'], 'X-Api-Version')
  if (method === 'GET' && path === '/v1/users') return { data: [] }
  if (method === 'POST' && path === '/v1/notes') {
    const { data } = JSON.parse(body)
    only(data, 'type', 'attributes', 'relationships')
    need(data.type === 'notes' && data.relationships.user.data.id === '9', 'relationships')
    double.notes.push({ system: 'teamtailor', about: data.relationships.candidate.data.id, text: data.attributes.note })
    return { data: { id: 'n', type: 'notes' } }
  }
  const [, id = ''] = /^\/v1\/job-applications\/([\w-]+)$/.exec(path) ?? []
  only(query, 'include')
  const person = double.people.get(id)
  if (!person) throw new Refused(404)
  const { candidateId, first, last, email, stage } = person
  return {
    data: {
      ...{ id, type: 'job-applications' },
      relationships: {
        candidate: { data: { id: candidateId, type: 'candidates' } },
        stage: { data: { id: stage.id, type: 'stages' } },
      },
    },
    included: [
      { id: candidateId, type: 'candidates', attributes: { 'first-name': first, 'last-name': last, email } },
      { id: stage.id, type: 'stages', attributes: { name: stage.name } },
    ],
  }
}

const systems = { auth: token, greenhouse, lever, ashby, teamtailor } as const

export const ashbyApplication = ({ applicationId, candidateId, first, last, email, stage }: TheirApplicant) => ({
  ...{ id: applicationId, status: 'Active' },
  candidate: {
    id: candidateId,
    name: `${first} ${last}`,
    primaryEmailAddress: email === null ? null : { value: email },
  },
  currentInterviewStage: { id: stage.id, title: stage.name, type: 'Active' },
})

export const startAtsDouble = async (): Promise<AtsDouble> => {
  const double: Double = { asked: [], notes: [], people: new Map(), fault: undefined, tokens: new Set() }
  const server = createServer((request, response) => {
    void readAll(request).then((body) => {
      const url = new URL(request.url ?? '/', 'http://double')
      const [, system = '', ...rest] = url.pathname.split('/')
      const known = systems[system as keyof typeof systems]
      const asked: Asked = {
        ...{ system: system as AtsProvider, method: request.method ?? '', path: `/${rest.join('/')}`, body },
        query: Object.fromEntries(url.searchParams),
      }
      double.asked.push(asked)
      const fault = double.fault?.(asked)
      if (fault === 'cut') return request.socket.destroy()
      if (fault !== undefined && fault !== 'after')
        return response.writeHead(fault.status, fault.headers ?? {}).end(fault.body ?? '')
      try {
        const answer = known(double, asked, request.headers)
        if (fault === 'after') return request.socket.destroy()
        return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
      } catch (error) {
        return response.writeHead(error instanceof Refused ? error.status : 500).end(String(error))
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

/** Has a running server ask the double in place of the makers' own. */
export const haveAts = ({ app }: TestServer, { url }: Pick<AtsDouble, 'url'>): void => {
  const ats = {
    ...{ greenhouse: `${url}/greenhouse`, greenhouseAuth: `${url}/auth`, lever: `${url}/lever` },
    ...{ ashby: `${url}/ashby`, teamtailor: `${url}/teamtailor` },
  }
  Object.assign(app.config as { -readonly [K in keyof Config]: Config[K] }, { ats })
}

let made = 0
export const theirApplicant = (
  double: Pick<AtsDouble, 'people'>,
  more: Partial<TheirApplicant> = {},
): TheirApplicant => {
  made += 1
  const person = {
    ...{ applicationId: String(10_000 + made), candidateId: String(20_000 + made), first: 'Asha', last: 'Verma' },
    ...{ email: `asha${made}@example.org`, stage: { id: '71416', name: 'Technical interview' }, ...more },
  }
  double.people.set(person.applicationId, person)
  return person
}

let shared: Promise<AtsDouble> | undefined
/** One for all examples of a process; it holds nothing that outlives it. */
export const sharedAtsDouble = (): Promise<AtsDouble> => {
  shared ??= startAtsDouble()
  return shared
}
