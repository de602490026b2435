import type { HandlerMap } from '../../kernel/handler.ts'
import { pageView } from '../../kernel/paging.ts'
import {
  archivePolicy,
  changePolicy,
  createPolicy,
  duplicatePolicy,
  listPolicies,
  readPolicy,
  writeVersion,
} from './session-policies.service.ts'
import { policyVersionView, policyView } from './session-policies.view.ts'

export const sessionPoliciesRoutes = {
  'portal.policies.list': {
    read: async (call, { query }) => {
      const { page, total } = await listPolicies(call, call.scope.orgId, query)
      return pageView(page, total, policyView)
    },
  },
  'portal.policies.create': {
    write: async (call, { body }) => policyView(await createPolicy(call, body)),
  },
  'portal.policies.get': {
    read: async (call, { params }) => {
      const { policy, versions } = await readPolicy(call, call.scope.orgId, params.policyId)
      return { ...policyView(policy), versions: versions.map(policyVersionView) }
    },
  },
  'portal.policies.patch': {
    write: async (call, { params, body }) => policyView(await changePolicy(call, params.policyId, body)),
  },
  'portal.policies.versions.create': {
    write: async (call, { params, body }) => policyView(await writeVersion(call, params.policyId, body)),
  },
  'portal.policies.duplicate': {
    write: async (call, { params, body }) => policyView(await duplicatePolicy(call, params.policyId, body.name)),
  },
  'portal.policies.archive': {
    write: async (call, { params, body }) => policyView(await archivePolicy(call, params.policyId, body.reason)),
  },
} satisfies Partial<HandlerMap>
