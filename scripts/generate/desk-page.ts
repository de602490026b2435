import { type CredentialKind, cookieCredentialKinds } from '../../shared-protocol/src/core/auth.ts'
import type { EndpointSpec } from '../../shared-protocol/src/core/endpoint.ts'
import { endpoints, type Wing, wingOf } from '../../shared-protocol/src/registry.ts'
import { deskRooms } from '../clients/desk-rooms.ts'

/** What a person signs in with. */
const people: ReadonlySet<CredentialKind> = new Set(cookieCredentialKinds)

/** What a person may call and finds in no room, and why not. */
const withoutRoom: Readonly<Record<string, string>> = {
  'chat.callback': 'the chat system leads the browser here; the room of connections begins it',
  'portal.screenshots.list': 'the review reads every kind from the reel index and the list of evidence',
  'portal.audioChunks.list': 'the review reads every kind from the reel index and the list of evidence',
  'portal.systemAudio.list': 'the review reads every kind from the reel index and the list of evidence',
  'portal.cameraFrames.list': 'the review reads every kind from the reel index and the list of evidence',
  'portal.cameraClips.list': 'the review reads every kind from the reel index and the list of evidence',
  'portal.evidence.get': 'the list of evidence says the same of each item',
  'portal.evidence.sealed': 'what is sealed to an own key is opened with that key, outside of a browser',
  'portal.reviews.get': 'the list of reviews says the same of the review of one interview',
  'portal.candidateContext.get': 'the report has the statements of its interview, and marks them as read',
  'portal.transcript': 'the reel index has the words of an interview',
  'portal.timeline': 'the review has account, moments, notes and words on one axis',
  'billing.status': 'the plans say which provider a country pays with',
  'portal.billing.metering': 'a job reports what was used; calling it earlier changes nothing',
}

const every: readonly EndpointSpec[] = Object.values(endpoints)
const forPeople = every.filter(({ auth }) => auth.some(({ kind }) => people.has(kind)))

const roomsOf = (id: string): string[] =>
  Object.entries(deskRooms).flatMap(([room, ids]) => (ids.some((used) => used === id) ? [room] : []))

/** Reasons for what has a room, or does not exist. */
const idleReasons = (): string[] =>
  Object.keys(withoutRoom).filter((id) => roomsOf(id).length > 0 || !forPeople.some((endpoint) => endpoint.id === id))

const row = ({ id, method, path }: EndpointSpec): string => {
  const rooms = roomsOf(id)
  const place = rooms.length > 0 ? rooms.join('; ') : `none: ${withoutRoom[id] ?? 'not built'}`
  return `| \`${id}\` | \`${method} ${path}\` | ${place} |`
}

const tableOf = (wing: Wing): string => `
## ${wing.slice(0, 1).toUpperCase()}${wing.slice(1)}

| endpoint | address | room |
|---|---|---|
${forPeople
  .filter((endpoint) => wingOf(endpoint) === wing)
  .map(row)
  .join('\n')}
`

/** `docs/desk.md`: each endpoint that a person may call, with the room that uses it or the reason why none does. Throws for an idle reason. */
export const deskPage = (): string => {
  const idle = idleReasons()
  if (idle.length > 0) throw new Error(`${idle.join(', ')}: a reason to have no room, and a room or no such endpoint`)
  return `# Where the desk uses the interface

Generated from the registry and from what each room calls (\`scripts/clients/desk-rooms.ts\`) by \`npm run generate\`. A person
may call ${forPeople.length} of the ${every.length} endpoints, with a sign-in. A test fails when one of them has neither a room nor a reason.
The tables stand by the wing of the endpoint's domain.
${[...new Set(forPeople.map(wingOf))].map(tableOf).join('')}`
}
