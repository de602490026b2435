import { randomBytes } from 'node:crypto'
import { endSignInsOf } from '../domains/access/auth/sign-ins/sign-ins.service.ts'
import { listSessions } from '../domains/interviews/sessions/lists/sessions.list.service.ts'
import { endSession, eraseSession } from '../domains/interviews/sessions/sessions.service.ts'
import { revokeAllKeys } from '../domains/organisation/api-keys/api-keys.service.ts'
import { bootstrapOrg } from '../domains/organisation/orgs/bootstrap.service.ts'
import { hashNewPassword } from '../domains/organisation/people/passwords.service.ts'
import { loginOf, membershipsAcrossOrgs, setPassword } from '../domains/organisation/people/people.service.ts'
import { inTx } from '../kernel/call.ts'
import { operator } from '../kernel/identity/actor.ts'
import { environments, type Scope } from '../kernel/identity/scope.ts'
import type { Parts } from '../kernel/parts.ts'

/** What tells the demo organisation from all others: no mail can ever reach an address below `.example` (RFC 2606). */
const owner = 'owner@demo.example'
const newPassword = (): string => randomBytes(18).toString('base64url')

export const makeDemo = async (app: Parts) => {
  const login = { email: owner, password: newPassword() }
  return { ...login, ...(await bootstrapOrg(app, { org: 'Demo', ...login })) }
}

/** Ends and erases the interviews of one environment; answers how many there were. */
const eraseSessions = async (app: Parts, scope: Scope): Promise<number> => {
  let cursor: string | undefined
  let erased = 0
  do {
    const { page } = await listSessions(
      { reader: app.db.reader, scope },
      { among: [scope.environment], query: { limit: 100, offset: 0, cursor } },
    )
    for (const { id, state } of page.rows)
      await app.db.transact(async (tx) => {
        const call = inTx({ ...app, scope, actor: operator }, tx)
        if (state === 'live')
          await endSession(call, { sessionId: id, input: { reason: 'the demo organisation was removed' } })
        await eraseSession(call, id)
      })
    erased += page.rows.length
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined)
  return erased
}

export interface RemovedDemo {
  readonly orgId: string
  readonly keys: number
  readonly sessions: number
}

/**
 * Takes the demo organisation out of use: its keys and its owner's sign-in stop, its interviews are erased. Its name and its
 * audit chain stay, as nobody's may be shortened. Undefined when there is none. Doing it again finds nothing more to do.
 */
export const removeDemo = async (app: Parts): Promise<RemovedDemo | undefined> => {
  const person = await loginOf({ reader: app.db.reader }, owner)
  const [membership] = person ? await membershipsAcrossOrgs({ reader: app.db.reader }, person.id) : []
  if (!person || !membership) return undefined
  const { orgId } = membership
  const passwordHash = await hashNewPassword(newPassword(), { email: owner, organisation: 'Demo' })
  const keys = await app.db.transact(async (tx) => {
    const call = inTx({ ...app, actor: operator }, tx)
    await setPassword(call, { userId: person.id, passwordHash })
    await endSignInsOf(call, { userId: person.id, reason: 'deactivated' })
    return revokeAllKeys(call, orgId)
  })
  let sessions = 0
  for (const environment of environments) sessions += await eraseSessions(app, { orgId, environment })
  return { orgId, keys, sessions }
}
