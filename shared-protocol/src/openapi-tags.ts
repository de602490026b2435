import type { EndpointSpec } from './core/endpoint.ts'
import { endpoints } from './registry.ts'

/** Where an operation stands in the navigation: the first word of its id. */
export const tagOf = (endpoint: EndpointSpec): string => endpoint.id.split('.')[0] ?? ''

/** What the first word of an endpoint's id is called in the navigation, in the order of the reference. */
export const tagTexts: Readonly<Record<string, readonly [title: string, description: string]>> = {
  orgs: ['Organisation and key', 'What the presented key is, and whose.'],
  sessions: ['Sessions', 'Schedule, follow, end and erase sessions; their events, transcript, evidence and report.'],
  evidence: ['Evidence', "One evidence object's metadata, and its bytes by a short-lived download URL."],
  compositions: ['Compositions', 'One picture-in-picture film for each session, rendered on demand.'],
  webhooks: ['Webhook endpoints', 'Where events are delivered: registration, signing secrets, delivery log, replay.'],
  events: ['Published events', 'The catalogue as a list and as a live stream.'],
  sandbox: ['Sandbox', 'Interviews that play themselves, for sandbox keys.'],
  auth: ['Signing in', 'Portal login by cookie.'],
  portal: ['Portal', 'What signed-in members do, as their role permits.'],
  agent: ['Agent', "What the candidate's desktop agent sends, after consent."],
  invitations: ['Invitation', 'What the link in an invitation opens.'],
  candidateRequests: ['Candidate requests', 'What a candidate asks for after the interview.'],
  pairings: ['Pairing', 'How a phone is paired with a session, and what it agrees to.'],
  companion: ['Phone', 'What the phone beside the candidate sends.'],
  rooms: ['Room', 'What the browser in the interview room sends.'],
  scim: [
    'Provisioning (SCIM 2.0)',
    'What an identity provider asks for and changes, in the words of RFC 7643 and RFC 7644.',
  ],
  assessments: ['Assessment partner', 'What Greenhouse calls of an assessment partner, in the words of its interface.'],
  updates: ['Updates and security policy', 'Signed documents that the installed programs check for themselves.'],
  health: ['Health', 'Whether the service lives and is ready.'],
}

/** `apiKeys` reads "Api keys". */
export const inWords = (name: string): string => {
  const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`
}

/** Tags in reading order and in groups: what an API key may call comes first. */
export const tagsAndGroups = () => {
  const all = endpoints as readonly EndpointSpec[]
  const present = new Set(all.map(tagOf))
  const names = [...new Set([...Object.keys(tagTexts), ...present])].filter((name) => present.has(name))
  const byKey = new Set(all.filter(({ auth }) => auth.some(({ kind }) => kind === 'api_key')).map(tagOf))
  const groups = [
    { name: 'Public API', tags: names.filter((name) => byKey.has(name)) },
    { name: 'Portal, devices and operation', tags: names.filter((name) => !byKey.has(name)) },
  ]
  return {
    tags: names.map((name) => {
      const [title, description] = tagTexts[name] ?? [inWords(name), `Everything about ${inWords(name).toLowerCase()}.`]
      return { name, 'x-displayName': title, description }
    }),
    'x-tagGroups': groups.filter(({ tags }) => tags.length > 0),
  }
}
