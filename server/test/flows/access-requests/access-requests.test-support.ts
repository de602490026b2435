import { afterAll, beforeAll, describe } from 'vitest'
import { type AccessRequest, approvedRequest } from '../../test-support/access-requests.ts'
import { everyEngine } from '../../test-support/engines.ts'
import { cookieHeader, cookiesOf, operatorCookie } from '../../test-support/portal.ts'
import { type ServerOptions, startServer, type TestServer } from '../../test-support/server.ts'

export const goodPassword = 'umbrella over nine rivers'

interface Desk {
  readonly server: TestServer
  /** A call of an operator. */
  decide(verb: 'approve' | 'decline' | 'resendInvite', id: string, body?: object): Promise<unknown>
  list(query?: object): Promise<{ items: AccessRequest[]; nextCursor: string | null }>
  approved: (more?: object) => ReturnType<typeof approvedRequest>
  accept(body: object, headers?: Readonly<Record<string, string>>): Promise<Accepted>
  orgs(): Promise<{ orgId: string; name: string; slug: string; owners: number }[]>
}
interface Accepted {
  readonly status: number
  readonly body: {
    data?: { org: { id: string; name: string; slug: string }; user: { id: string; email: string; name: string | null } }
    error?: { code: string; message: string; reason?: string; details?: { path: string }[] }
  }
  readonly cookie: { cookie: string }
}

/** The same tests on both databases. */
export const describeDesk = (name: string, tests: (desk: Desk) => void, options: ServerOptions = {}): void => {
  for (const engine of everyEngine())
    describe(`${name} (${engine})`, () => {
      let server: TestServer
      beforeAll(async () => {
        server = await startServer({ engine, ...options })
      })
      afterAll(() => server.stop())
      tests({
        get server() {
          return server
        },
        decide: async (verb, id, body) =>
          (
            await server.client().call(`accessRequests.${verb}`, {
              headers: await operatorCookie(server),
              params: { id },
              ...(body && { body }),
            } as never)
          ).data,
        list: async (query = {}) =>
          (await server.client().call('accessRequests.list', { headers: await operatorCookie(server), query })).data,
        approved: (more) => approvedRequest(server, more),
        accept: async (body, headers = {}) => {
          const answer = await fetch(`${server.url}/v1/access-requests/owner-invite/accept`, {
            method: 'POST',
            headers: { 'content-type': 'application/json', ...headers },
            body: JSON.stringify(body),
          })
          return {
            status: answer.status,
            body: (await answer.json()) as Accepted['body'],
            cookie: cookieHeader(cookiesOf(answer.headers)),
          }
        },
        orgs: () =>
          server.app.db.reader.all(
            `SELECT o.org_id AS "orgId", o.name, o.slug, (SELECT count(*) FROM memberships m
               WHERE m.org_id = o.org_id AND m.role = 'owner' AND m.active = 1) AS owners FROM orgs o ORDER BY o.org_id`,
          ),
      })
    })
}
