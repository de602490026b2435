import { useDraft } from '@integrity/shared-ui/hooks/use-draft'
import { useState } from 'react'
import type { Permission } from '../../data/desk-api.ts'
import { useDesk } from '../../parts/desk-context.ts'
import { useAttempt } from '../../parts/use-attempt.ts'
import { useTheirs } from '../../parts/use-theirs.ts'
import { type CustomRole, type Matrix, peopleAt } from './people.ts'

const wordsOf = (role: CustomRole | undefined) => ({
  name: role?.name ?? '',
  description: role?.description ?? '',
  permissions: role?.permissions.join(' ') ?? '',
  // The version that the writer has seen: the service refuses to write over another's.
  seen: String(role?.version ?? 0),
})

/** A custom role that is being written; what was typed stays until it is saved. */
export const useRoleEditing = (id: string, role: CustomRole | undefined, matrix: Matrix) => {
  const { own, org, person, pageMemory, navigation, queries } = useDesk()
  const draft = useDraft(`role ${person.user.id} ${org.id} ${id}`, wordsOf(role), pageMemory)
  const acting = useAttempt('portal.roles.list', 'portal.members.list')
  const theirs = useTheirs(draft, wordsOf(role), 'seen')
  const [missing, setMissing] = useState<'name' | 'permissions'>()
  const { name, description, permissions, seen } = draft.words
  const chosen = matrix.map(({ permission }) => permission).filter((one) => permissions.split(' ').includes(one))
  const choose = (permission: Permission, on: boolean) => {
    const left = chosen.filter((one) => one !== permission)
    draft.change({ permissions: [...left, ...(on ? [permission] : [])].join(' ') })
  }
  /** Whether it can be sent. */
  const check = (): boolean => {
    const found = name.trim() === '' ? 'name' : chosen.length === 0 ? 'permissions' : undefined
    setMissing(found)
    return found === undefined
  }
  const leave = () => {
    draft.clear()
    navigation.go(peopleAt(org, 'roles'))
  }
  const save = () =>
    acting.attempt(async () => {
      const body = { name: name.trim(), description: description.trim(), permissions: chosen }
      const params = { orgId: org.id }
      if (role) {
        const change = { ...body, expectedVersion: Number(seen) }
        const save = async () => {
          await own.call('portal.roles.change', { params: { ...params, roleId: role.id }, body: change })
          leave()
        }
        return theirs.guard(save, async () => {
          await queries.changed('portal.roles.list')
          return wordsOf((await own.call('portal.roles.list', { params })).data.items.find(({ id }) => id === role.id))
        })
      }
      await own.call('portal.roles.create', { params, body, idempotencyKey: draft.once() })
      leave()
      return undefined
    })
  const remove = () =>
    acting.attempt(async () => {
      await own.call('portal.roles.delete', { params: { orgId: org.id, roleId: id } })
      leave()
      return undefined
    })
  return { draft, acting, met: theirs.met, missing, chosen, choose, check, save, remove }
}
