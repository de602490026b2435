import type { HandlerMap } from '../../../kernel/handler.ts'
import { pageView } from '../../../kernel/paging.ts'
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
      const { page, total } = await listPolicies(call, { orgId: call.scope.orgId, query })
      return pageView(page, total, policyView)
    },
  },
  'portal.policies.create': {
    write: async (call, { body }) => policyView(await createPolicy(call, { input: body })),
  },
  'portal.policies.get': {
    read: async (call, { params }) => {
      const { policy, versions } = await readPolicy(call, { orgId: call.scope.orgId, id: params.policyId })
      return { ...policyView(policy), versions: versions.map(policyVersionView) }
    },
  },
  'portal.policies.patch': {
    write: async (call, { params, body }) =>
      policyView(await changePolicy(call, { id: params.policyId, change: body })),
  },
  'portal.policies.versions.create': {
    write: async (call, { params, body }) => policyView(await writeVersion(call, { id: params.policyId, input: body })),
  },
  'portal.policies.duplicate': {
    write: async (call, { params, body }) =>
      policyView(await duplicatePolicy(call, { id: params.policyId, name: body.name })),
  },
  'portal.policies.archive': {
    write: async (call, { params, body }) =>
      policyView(await archivePolicy(call, { id: params.policyId, reason: body.reason })),
  },
} satisfies Partial<HandlerMap>
