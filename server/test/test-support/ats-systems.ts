import type { StageProvider } from '@integrity/protocol'
import { type AskedOfPeer, described } from './described.ts'

/** Somebody who has applied, in every system under the same ids. */
export interface TheirApplicant {
  readonly applicationId: string
  readonly candidateId: string
  readonly first: string
  readonly last: string
  readonly email: string | null
  stage: { id: string; name: string }
}

/** What the systems know. */
export interface TheirWorld {
  readonly notes: { system: StageProvider; about: string; text: string }[]
  readonly people: Map<string, TheirApplicant>
  /** Tokens of Greenhouse that are good. */
  readonly tokens: Set<string>
}

export class Refused extends Error {
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
} as const satisfies Record<StageProvider, object>

export interface AnswerOfSystem {
  readonly body: unknown
  readonly headers?: Record<string, string>
}
/** `example`: the description's own answer; what is answered has its shape. */
type System = (world: TheirWorld, asked: AskedOfPeer, example: never) => AnswerOfSystem

/** A list's first one, where the example is a list. */
interface Listed {
  readonly 0: object
}

const basic = (name: string, secret = '') => `Basic ${Buffer.from(`${name}:${secret}`).toString('base64')}`
const may = ({ headers }: AskedOfPeer, authorization: string): void => {
  if (headers.authorization !== authorization) throw new Refused(401)
}

/** Their pages are shorter than what is asked for. */
const pageLength = 2
const pageOf = <T>(all: readonly T[], from: number) => ({
  items: all.slice(from, from + pageLength),
  next: from + pageLength < all.length ? String(from + pageLength) : undefined,
})
const notesOf = ({ notes }: TheirWorld, of: StageProvider, id: string) =>
  notes.filter(({ system, about }) => system === of && about === id).map(({ text }) => text)

const auth: System = (world, asked, example: object) => {
  const { clientId, clientSecret, userId } = theirCredentials.greenhouse
  may(asked, basic(clientId, clientSecret))
  if (new URLSearchParams(asked.body).get('sub') !== userId) throw new Refused(422, 'sub')
  const token = `token-${world.tokens.size + 1}`
  world.tokens.add(token)
  return { body: { ...example, access_token: token } }
}

const greenhouse: System = (world, asked, example: Listed) => {
  const { method, path, query, body, headers } = asked
  if (!world.tokens.has(headers.authorization?.replace('Bearer ', '') ?? '')) throw new Refused(401)
  const people = [...world.people.values()]
  if (path === '/v3/applications')
    return {
      body: people
        .filter(({ applicationId }) => applicationId === query.get('ids'))
        .map(({ applicationId, candidateId, stage }) => ({
          ...example[0],
          id: Number(applicationId),
          candidate_id: Number(candidateId),
          job_interview_stage_id: Number(stage.id),
          stage_name: stage.name,
        })),
    }
  if (path === '/v3/candidates')
    return {
      body: people
        .filter(({ candidateId }) => candidateId === query.get('ids'))
        .map(({ candidateId, first, last, email }) => ({
          ...example[0],
          id: Number(candidateId),
          first_name: first,
          last_name: last,
          email_addresses: email === null ? [] : [{ value: email, type: 'personal' }],
        })),
    }
  if (path !== '/v3/notes') return { body: example }
  if (method === 'POST') {
    const note = JSON.parse(body) as { candidate_id: number; body: string }
    world.notes.push({ system: 'greenhouse', about: String(note.candidate_id), text: note.body })
    return { body: { ...example, id: world.notes.length, ...note } }
  }
  // A cursor says all by itself.
  const [id = '', from = '0'] = (query.get('cursor') ?? `${query.get('candidate_ids')}.0`).split('.')
  const { items, next } = pageOf(notesOf(world, 'greenhouse', id), Number(from))
  const link = `<https://harvest.greenhouse.io/v3/notes?cursor=${id}.${next}>; rel="next"`
  return { body: items.map((text, n) => ({ ...example[0], id: n, body: text })), ...(next && { headers: { link } }) }
}

const lever: System = (world, asked, example: { data: Listed }) => {
  const { method, path, query, body } = asked
  may(asked, basic(theirCredentials.lever.apiKey))
  const [, id = '', sub] = /^\/v1\/opportunities\/([\w-]+)(\/notes)?$/.exec(path) ?? []
  if (id === '') return { body: example }
  const person = world.people.get(id)
  if (!person) throw new Refused(404)
  const { first, last, email, stage } = person
  if (sub === undefined) {
    const at = query.get('expand') === 'stage' ? { id: stage.id, text: stage.name } : stage.id
    const named = { id, name: `${first} ${last}`, emails: email === null ? [] : [email] }
    return { body: { data: { ...example.data, ...named, stage: at } } }
  }
  if (method === 'POST') {
    world.notes.push({ system: 'lever', about: id, text: JSON.parse(body).value })
    return { body: example }
  }
  const { items, next } = pageOf(notesOf(world, 'lever', id), Number(query.get('offset') ?? 0))
  const data = items.map((text) => ({ ...example.data[0], fields: [{ type: 'note', value: text }] }))
  return { body: { data, hasNext: next !== undefined, ...(next && { next }) } }
}

const ashby: System = (world, asked, example: { results: Listed }) => {
  may(asked, basic(theirCredentials.ashby.apiKey))
  const given = JSON.parse(asked.body)
  switch (asked.path) {
    case '/application.info': {
      const person = world.people.get(given.applicationId)
      const errorInfo = { code: 'application_not_found', message: 'no such application', requestId: '1' }
      if (!person) return { body: { success: false, errors: ['application_not_found'], errorInfo } }
      return { body: { ...example, results: { ...example.results, ...ashbyApplication(person) } } }
    }
    case '/candidate.listNotes': {
      const { items, next } = pageOf(notesOf(world, 'ashby', given.candidateId), Number(given.cursor ?? 0))
      const results = items.map((text) => ({ ...example.results[0], content: text }))
      return { body: { ...example, results, moreDataAvailable: next !== undefined, ...(next && { nextCursor: next }) } }
    }
    case '/candidate.createNote':
      world.notes.push({ system: 'ashby', about: given.candidateId, text: given.note.value })
      return { body: example }
    default:
      return { body: example }
  }
}

interface Resource {
  readonly data: Listed & { relationships: Record<string, object> }
  readonly included: [object, object]
}
const teamtailor: System = (world, asked, example: Resource) => {
  const { method, path, query, body } = asked
  may(asked, `Token token=${theirCredentials.teamtailor.apiKey}`)
  if (path === '/v1/notes' && method === 'POST') {
    const { relationships, attributes } = JSON.parse(body).data
    if (relationships.user.data.id !== theirCredentials.teamtailor.userId) throw new Refused(422, 'no such user')
    world.notes.push({ system: 'teamtailor', about: relationships.candidate.data.id, text: attributes.note })
    return { body: { data: { ...example.data, attributes } } }
  }
  if (path === '/v1/notes') {
    const number = Number(query.get('page[number]') ?? 1)
    const all = notesOf(world, 'teamtailor', query.get('filter[candidate]') ?? '')
    const { items, next } = pageOf(all, (number - 1) * pageLength)
    const links = next === undefined ? {} : { next: `https://api.teamtailor.com/v1/notes?page[number]=${number + 1}` }
    return { body: { ...example, data: items.map((note) => ({ ...example.data[0], attributes: { note } })), links } }
  }
  const [, id = ''] = /^\/v1\/job-applications\/([\w-]+)$/.exec(path) ?? []
  if (id === '') return { body: example }
  const person = world.people.get(id)
  if (!person) throw new Refused(404)
  const { candidateId, first, last, email, stage } = person
  const [candidate, at] = example.included
  const relationships = {
    ...example.data.relationships,
    candidate: { data: { id: candidateId, type: 'candidates' } },
    stage: { data: { id: stage.id, type: 'stages' } },
  }
  const included = [
    { ...candidate, id: candidateId, attributes: { 'first-name': first, 'last-name': last, email } },
    { ...at, id: stage.id, attributes: { name: stage.name } },
  ]
  return { body: { data: { ...example.data, id, relationships }, included } }
}

const of = (peer: StageProvider, answer: System) => ({ peer: described(peer), answer })
/** By the first word of a path of the double's. */
export const systems = {
  auth: of('greenhouse', auth),
  greenhouse: of('greenhouse', greenhouse),
  lever: of('lever', lever),
  ashby: of('ashby', ashby),
  teamtailor: of('teamtailor', teamtailor),
} as const

export const ashbyApplication = ({ applicationId, candidateId, first, last, email, stage }: TheirApplicant) => ({
  id: applicationId,
  status: 'Active',
  candidate: {
    id: candidateId,
    name: `${first} ${last}`,
    primaryEmailAddress: email === null ? null : { value: email },
  },
  currentInterviewStage: { id: stage.id, title: stage.name, type: 'Active' },
})

/** As an interface grows: every object in it has a field that nobody here knows. */
export const grown = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(grown)
  if (typeof value !== 'object' || value === null) return value
  const inside = Object.entries(value).map(([name, item]) => [name, grown(item)])
  return { ...Object.fromEntries(inside), came_later: { since: 2027, of: ['x'] } }
}

/** The same without one field, by its path: `0.email_addresses`. */
export const without = (value: unknown, path: string): unknown => {
  const copy = structuredClone(value) as Record<string, unknown>
  const keys = path.split('.')
  let at = copy
  for (const key of keys.slice(0, -1)) at = (at?.[key] ?? {}) as Record<string, unknown>
  delete at[keys.at(-1) ?? '']
  return copy
}
