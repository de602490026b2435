import { type Examples, ofOrg, ofUser } from './example.ts'

export const auditExamples = {
  // Of a session that is over, so that nothing comes in while a page is turned.
  'portal.auditLogs.list': async (world) => ({ ...(await ofOrg(world)), query: { sessionId: world.ended.id } }),
  'portal.auditLogs.verify': ofOrg,
  'portal.auditLogs.export': ofOrg,
  'portal.sessions.accessLog': async (world) => {
    const params = { id: world.screenshotId }
    for (let n = 0; n < 3; n++) await world.server.client(world.key).call('evidence.get', { params })
    return ofUser(world)
  },
} satisfies Examples
