import { anAccessRequest, approvedRequest, expiredRequest, pendingRequest } from '../access-requests.ts'
import { goodPassword } from '../password-links.ts'
import { operatorCookie } from '../portal.ts'
import type { World } from '../world.ts'
import type { Examples } from './example.ts'

const byOperator = async ({ server }: World) => ({ headers: await operatorCookie(server) })

export const accessRequestsExamples = {
  'accessRequests.availability': () => ({}),
  'accessRequests.create': () => ({ json: anAccessRequest() }),
  'accessRequests.list': async (world) => {
    await pendingRequest(world.server)
    return byOperator(world)
  },
  'accessRequests.insights': byOperator,
  'accessRequests.approve': async (world) => {
    const { id } = await pendingRequest(world.server)
    return { ...(await byOperator(world)), params: { id }, json: {} }
  },
  'accessRequests.decline': async (world) => {
    const { id } = await pendingRequest(world.server)
    return { ...(await byOperator(world)), params: { id }, json: { message: 'We begin with larger teams.' } }
  },
  'accessRequests.resendInvite': async (world) => {
    const { id } = await approvedRequest(world.server)
    return { ...(await byOperator(world)), params: { id } }
  },
  'ownerInvites.inspect': async ({ server }) => ({ json: { token: (await approvedRequest(server)).token } }),
  'ownerInvites.accept': async ({ server }) => ({
    json: { token: (await approvedRequest(server)).token, name: 'Asha Rao', password: goodPassword },
  }),
  'ownerInvites.renew': async ({ server }) => ({ json: { token: (await expiredRequest(server)).token } }),
} satisfies Examples
