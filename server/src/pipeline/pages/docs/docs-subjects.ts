import { type EndpointSpec, endpoints, sessionCredentialKinds, type Wing, wingOf } from '@integrity/protocol'
import { inWords, tagTexts } from '@integrity/protocol/openapi-tags'

/** Who calls, in the order of the sidebar. Only the first group stands open. */
export const docsGroups = {
  api: 'API by subject',
  portal: "Portal: a member's browser",
  devices: 'Agent, phone and room',
  operation: 'Operation',
} as const
export type DocsGroup = keyof typeof docsGroups

/** The portal's endpoints are many: they stand by the wing of their domain, from signing in to what keeps an organisation. */
export const docsWings = {
  access: 'Access',
  organisation: 'Organisation',
  interviews: 'Interviews',
  candidates: 'Candidates',
  recording: 'Recording',
  review: 'Review',
  integrations: 'Integrations',
  administration: 'Administration',
} as const satisfies Readonly<Record<Wing, string>>

/** Endpoints that belong together, on one page. */
export interface Subject {
  readonly name: string
  readonly title: string
  readonly summary: string
  readonly group: DocsGroup
  readonly wing: Wing
  readonly endpoints: readonly EndpointSpec[]
}

const all = endpoints as readonly EndpointSpec[]
const devices: ReadonlySet<string> = new Set([...sessionCredentialKinds, 'link'])
const operation: ReadonlySet<string> = new Set(['health', 'updates'])

/** The portal's are told apart by their second word. */
export const subjectNameOf = ({ id }: EndpointSpec): string => {
  const [first = '', second = ''] = id.split('.')
  return first === 'portal' ? `portal-${second}` : first
}

/** Titles that the words of an id do not give: abbreviations, and domains that stand on both sides of the portal. */
const titles: Readonly<Record<string, string>> = {
  'portal-apiKeys': 'API keys',
  'portal-ats': 'Applicant tracking',
  ats: 'Applicant tracking: what it sends',
  assessments: 'Applicant tracking: assessments',
  'portal-billing': 'Billing',
  billing: 'Billing: plans, and what the payment service sends',
  'portal-branding': 'Branding',
  branding: 'Branding: the logo for everybody',
  'portal-candidateRequests': 'Candidate requests: answering',
  'portal-chat': 'Chat apps',
  chat: 'Chat apps: what they send',
  'portal-compositions': 'Compositions for members',
  'portal-evidence': 'Evidence for members',
  'portal-events': 'Events for members',
  'portal-invitations': 'Inviting candidates',
  'portal-invites': 'Inviting members',
  interviewers: 'Interviewers: their own page',
  invites: 'Inviting members: joining',
  'portal-orgs': 'Own organisations',
  'portal-sandbox': 'Sandbox for members',
  'portal-scim': 'Directory (SCIM)',
  scim: 'Directory (SCIM): what it sends',
  'portal-sessions': 'Sessions for members',
  'portal-sso': 'Single sign-on',
  sso: 'Single sign-on: what a provider sends',
  'portal-webhooks': 'Webhook endpoints for members',
}

const groupOf = (name: string, members: readonly EndpointSpec[]): DocsGroup => {
  if (operation.has(name)) return 'operation'
  const kinds = new Set(members.flatMap(({ auth }) => auth.map(({ kind }) => kind)))
  if (kinds.has('api_key')) return 'api'
  return [...kinds].some((kind) => devices.has(kind)) ? 'devices' : 'portal'
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
const byPath = (a: EndpointSpec, b: EndpointSpec): number =>
  a.path.localeCompare(b.path) || methods.indexOf(a.method) - methods.indexOf(b.method)

const subjectOf = (name: string): Subject => {
  const members = all.filter((endpoint) => subjectNameOf(endpoint) === name).sort(byPath)
  const [first] = members
  if (!first) throw new Error(`no endpoint is called ${name}`)
  const [title, summary] = tagTexts[name] ?? [inWords(name.replace('portal-', '')), first.summary]
  const [group, wing] = [groupOf(name, members), wingOf(first)]
  return { name, title: titles[name] ?? title, summary, group, wing, endpoints: members }
}

const byGroup = (group: DocsGroup, subjects: readonly Subject[]): Subject[] => {
  const found = subjects.filter((subject) => subject.group === group)
  return group === 'portal' ? found.toSorted((a, b) => a.title.localeCompare(b.title)) : found
}

/** In reading order: what an API key may call, as the interface tells it, and then the others. */
export const readSubjects = (): Subject[] => {
  const order = Object.keys(tagTexts)
  const names = [...new Set(all.map(subjectNameOf))]
  const place = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length)
  const subjects = names.toSorted((a, b) => place(a) - place(b)).map(subjectOf)
  return (Object.keys(docsGroups) as DocsGroup[]).flatMap((group) => byGroup(group, subjects))
}
