import type { InputOf } from '@integrity/client/calls'
import type { EveryEndpoint } from '@integrity/client/contract-types'
import type { TestServer } from '../../test-support/server.ts'
import { asMember } from '../candidate-requests/candidate-requests.test-support.ts'

type Saved = InputOf<EveryEndpoint['portal.policies.create']>['body']

/** What an owner does with policies of the first organisation. */
export const policiesOf = (server: TestServer) => {
  const { orgId } = server.orgs[0]
  const of = (policyId: string) => ({ orgId, policyId })
  return {
    save: (fields: Partial<Saved> = {}) =>
      asMember(server, 'portal.policies.create', {
        params: { orgId },
        body: { name: 'First interviews', config: { retentionDays: 30 }, ...fields },
      }),
    get: (id: string) => asMember(server, 'portal.policies.get', { params: of(id) }),
    list: (query: { state?: 'active' | 'archived' | 'all' } = {}) =>
      asMember(server, 'portal.policies.list', { params: { orgId }, query: { limit: 100, ...query } }),
    patch: (id: string, body: { name?: string; description?: string | null }) =>
      asMember(server, 'portal.policies.patch', { params: of(id), body }),
    write: (id: string, config: object, expectedVersion?: number) =>
      asMember(server, 'portal.policies.versions.create', {
        params: of(id),
        body: { config, ...(expectedVersion !== undefined && { expectedVersion }) },
      }),
    duplicate: (id: string, body: { name?: string } = {}) =>
      asMember(server, 'portal.policies.duplicate', { params: of(id), body }),
    archive: (id: string, body: { reason?: string } = {}) =>
      asMember(server, 'portal.policies.archive', { params: of(id), body }),
  }
}

/** What is remembered in the audit chain of these, oldest first. */
export const auditOf = (server: TestServer, target: string) =>
  server.app.db.reader.all<{ action: string; actorKind: string; payload: string | null }>(
    `SELECT action, actor_kind AS "actorKind", payload FROM audit_log l
     LEFT JOIN audit_payloads p ON p.org_id = l.org_id AND p.seq = l.seq WHERE l.target = ? ORDER BY l.seq`,
    [target],
  )
