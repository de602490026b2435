import { scimUrns } from '@integrity/protocol'
import type { GroupMemberRow, ScimGroupRow } from './groups.store.ts'
import { locationOf, metaOf } from './users.view.ts'

export const groupView = (baseUrl: string, row: ScimGroupRow, members: readonly GroupMemberRow[]) => ({
  schemas: [scimUrns.group],
  id: row.id,
  displayName: row.displayName,
  ...(row.externalId === null ? {} : { externalId: row.externalId }),
  ...(members.length > 0
    ? {
        members: members.map(({ id, display }) => ({
          value: id,
          $ref: locationOf(baseUrl, 'Users', id),
          type: 'User',
          ...(display === null ? {} : { display }),
        })),
      }
    : {}),
  meta: metaOf(baseUrl, 'Group', row, null),
})
