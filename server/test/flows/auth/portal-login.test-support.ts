import { createHook } from 'node:async_hooks'
import { cookieHeader } from '../../test-support/portal.ts'
import type { TestServer } from '../../test-support/server.ts'

export const minute = 60_000
export const day = 24 * 60 * minute

export type SentHeaders = Readonly<Record<string, string>>

export const post = (server: TestServer, verb: 'refresh' | 'logout', headers: SentHeaders = {}) =>
  fetch(`${server.url}/v1/auth/${verb}`, { method: 'POST', headers })
export const me = (server: TestServer, headers: SentHeaders) => fetch(`${server.url}/v1/auth/me`, { headers })
export const access = (token: string) => cookieHeader({ portal_access: token })
export const refresh = (token: string) => cookieHeader({ portal_refresh: token })
export const bodyOf = async (answer: Response) =>
  (await answer.json()) as { data: never; error: { code: string; message: string } }
/** As `cookiesOf` shows that a browser is told to forget both. */
export const cleared = { portal_access: '', portal_refresh: '' }

/** How often a password was hashed while the work ran. */
export const hashesIn = async (work: () => Promise<unknown>): Promise<number> => {
  let count = 0
  const hook = createHook({
    init: (_id, type) => {
      if (/argon2/i.test(type)) count += 1
    },
  }).enable()
  try {
    await work()
  } finally {
    hook.disable()
  }
  return count
}

interface Noted {
  readonly org: string
  readonly action: string
  readonly actor: string
}

/** What is remembered of somebody in the audit chains, oldest first. */
export const auditOf = (server: TestServer, userId: string): Promise<Noted[]> =>
  server.app.db.reader.all<Noted>(
    `SELECT org_id AS org, action, actor_kind AS actor FROM audit_log WHERE actor_id = ? ORDER BY at, org_id, seq`,
    [userId],
  )
export const actionsOf = async (server: TestServer, userId: string) =>
  (await auditOf(server, userId)).map(({ action }) => action)
