import * as z from 'zod'
import { permission, permissions } from '../../../core/permissions.ts'
import { id, instant, listOf, oneLine } from '../../../core/primitives.ts'
import { expectedVersion, shownVersion } from '../../../core/seen.ts'

/** Custom roles of an organisation. */
export const maxCustomRoles = 50

const permissionSet = z
  .array(permission)
  .min(1)
  .max(4 * Object.keys(permissions).length)
  .meta({ description: 'no more than its maker holds; one that comes twice counts once' })
const description = z.string().trim().max(1000).meta({ description: 'what the role is for' })

export const roleCreate = z.object({
  name: oneLine(80).meta({ description: 'unique in the organisation, without regard to case' }),
  description: description.optional(),
  permissions: permissionSet,
})
export const roleChange = z.object({
  name: oneLine(80).optional(),
  description: description.optional(),
  permissions: permissionSet.optional(),
  expectedVersion,
})

export const role = z
  .object({
    id: id('rol'),
    name: z.string(),
    description: z.string(),
    permissions: z.array(permission),
    holders: z.number().int().min(0).meta({ description: 'members who hold it, deactivated ones included' }),
    version: shownVersion('name, description and permissions'),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: 'CustomRole' })

const flag = z.boolean()
export const roleList = listOf(role, {
  matrix: z
    .array(
      z.object({
        permission,
        description: z.string(),
        builtIn: z.object({ owner: flag, admin: flag, interviewer: flag, reviewer: flag }),
      }),
    )
    .meta({ description: 'every permission, and which built-in roles hold it' }),
})

export const assignment = z.object({
  roleId: id('rol').nullable().meta({ description: 'null: back to the built-in role' }),
})
