import { createHash } from 'node:crypto'
import { scimUrns, type scimUser, wirePaths } from '@integrity/protocol'
import type * as z from 'zod'
import type { GroupMemberRow } from './groups.store.ts'
import type { UserAttributes } from './resource.model.ts'
import type { ScimUserRow } from './users.store.ts'

export type UserView = z.input<typeof scimUser> & { readonly meta: ReturnType<typeof metaOf> }

const iso = (ms: number): string => new Date(ms).toISOString()

/** What is kept of somebody; of whom the identity provider said nothing yet, the account's address and the name. */
export const attributesOf = ({ attributes, email, name }: ScimUserRow): UserAttributes =>
  attributes === null
    ? {
        userName: email,
        ...(name === null ? {} : { displayName: name }),
        emails: [{ value: email, type: 'work', primary: true }],
      }
    : (JSON.parse(attributes) as UserAttributes)

export const locationOf = (baseUrl: string, kind: 'Users' | 'Groups', id: string): string =>
  `${baseUrl}${wirePaths.scim}/${kind}/${id}`

/** Names a state (RFC 7644, section 3.14); weak, as the names of others in it may change. */
const versionOf = (state: unknown): string =>
  `W/"${createHash('sha256').update(JSON.stringify(state)).digest('base64url').slice(0, 22)}"`

export const metaOf = (
  baseUrl: string,
  resourceType: 'User' | 'Group',
  { id, createdAt, updatedAt }: { id: string; createdAt: number; updatedAt: number },
  state: unknown,
) => ({
  resourceType,
  created: iso(createdAt),
  lastModified: iso(updatedAt),
  location: locationOf(baseUrl, `${resourceType}s`, id),
  version: versionOf([id, updatedAt, state]),
})

export const userView = (baseUrl: string, row: ScimUserRow, groups: readonly GroupMemberRow[]): UserView => {
  const attributes = attributesOf(row)
  const has = attributes[scimUrns.enterprise] !== undefined
  const own = groups.map(({ groupId, display }) => ({
    value: groupId,
    display: display ?? '',
    $ref: locationOf(baseUrl, 'Groups', groupId),
    type: 'direct',
  }))
  return {
    schemas: [scimUrns.user, ...(has ? [scimUrns.enterprise] : [])],
    id: row.id,
    ...attributes,
    active: row.active === 1,
    ...(own.length > 0 ? { groups: own } : {}),
    meta: metaOf(baseUrl, 'User', row, [attributes, row.active, own.map(({ value }) => value).toSorted()]),
  }
}
