import type { CredentialKind } from '../../shared-protocol/src/core/auth.ts'
import type { EndpointSpec } from '../../shared-protocol/src/core/endpoint.ts'
import { endpoints } from '../../shared-protocol/src/registry.ts'
import { deskRooms } from '../clients/used-endpoints.ts'

/** What a person signs in with. */
const people: ReadonlySet<CredentialKind> = new Set(['user', 'account', 'desk_operator', 'refresh'])

/** What a person may call and finds in no room, and why not. */
export const withoutRoom: Readonly<Record<string, string>> = {
  'chat.callback': 'the chat system leads the browser here; the room of connections begins it',
}

const every: readonly EndpointSpec[] = Object.values(endpoints)
const forPeople = every.filter(({ auth }) => auth.some(({ kind }) => people.has(kind)))

const roomsOf = (id: string): string[] =>
  Object.entries(deskRooms).flatMap(([room, ids]) => (ids.some((used) => used === id) ? [room] : []))

/** Endpoints that a person may call, and that neither a room nor a reason is known for. */
export const unplaced = (): string[] =>
  forPeople.map(({ id }) => id).filter((id) => roomsOf(id).length === 0 && !Object.hasOwn(withoutRoom, id))

/** Reasons for what has a room, or does not exist. */
export const idleReasons = (): string[] =>
  Object.keys(withoutRoom).filter((id) => roomsOf(id).length > 0 || !forPeople.some((endpoint) => endpoint.id === id))

const row = ({ id, method, path }: EndpointSpec): string => {
  const rooms = roomsOf(id)
  const place = rooms.length > 0 ? rooms.join('; ') : `none: ${withoutRoom[id] ?? 'not built'}`
  return `| \`${id}\` | \`${method} ${path}\` | ${place} |`
}

/** `docs/desk.md`: each endpoint that a person may call, with the room that uses it or the reason why none does. */
export const deskPage = (): string => `# Where the desk uses the interface

Generated from the registry and from what each room calls (\`scripts/clients/used-endpoints.ts\`) by \`npm run generate\`. A person
may call ${forPeople.length} of the ${every.length} endpoints, with a sign-in. A test fails when one of them has neither a room nor a reason.

| endpoint | address | room |
|---|---|---|
${forPeople.map(row).join('\n')}
`
