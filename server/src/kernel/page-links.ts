import type { Needs } from './call.ts'

/** What a letter, a chat message or a note sends members to. */
export type LinkedSubject =
  | { readonly kind: 'session' | 'report' | 'candidate_request'; readonly id: string }
  | { readonly kind: 'reviews' | 'access_requests' | 'statement' }

const rooms: Readonly<Record<LinkedSubject['kind'], string>> = {
  session: 'interviews',
  report: 'review',
  candidate_request: 'requests',
  reviews: 'reviews',
  access_requests: 'access-requests',
  statement: 'organisation/statement',
}

/** Where whoever manages what an organisation pays sees it: the way back from the page of a payment provider. */
export const planPage = ({ config }: Needs<'config'>, orgSlug: string): string =>
  `${config.baseUrl}/desk/${orgSlug}/organisation/plan`

/** The address of the desk's page for it, whole. People are never sent to an endpoint: without a sign-in it refuses them in JSON. */
export const pageFor = ({ config }: Needs<'config'>, subject: LinkedSubject): string =>
  `${config.baseUrl}/desk/${rooms[subject.kind]}${'id' in subject ? `/${subject.id}` : ''}`
