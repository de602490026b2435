import type { Needs } from './call.ts'

/** What a letter, a chat message or a note sends members to. */
export type LinkedSubject =
  | { readonly kind: 'session' | 'report' | 'candidate_request'; readonly id: string }
  | { readonly kind: 'reviews' | 'access_requests' }

/**
 * The address of the page for it, whole. People are never sent to an endpoint: without a sign-in it refuses them in JSON. The
 * page keeps what it is about behind the `#`, so that it is in no log on the way, and shows it after the sign-in.
 */
export const pageFor = ({ config }: Needs<'config'>, subject: LinkedSubject): string =>
  `${config.baseUrl}/account/#see.${subject.kind}${'id' in subject ? `.${subject.id}` : ''}`
