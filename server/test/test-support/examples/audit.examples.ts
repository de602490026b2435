import { byUser, type Examples, ofOrg } from './example.ts'

export const auditExamples = {
  // Of a session that is over, so that nothing comes in while a page is turned.
  'portal.auditLogs.list': async (world) => ({
    ...(await ofOrg(world)),
    query: { sessionId: world.ended.id, texts: 'en' },
  }),
  'portal.auditLogs.verify': ofOrg,
  'portal.auditLogs.export': ofOrg,
  'portal.sessions.accessLog': async (world) => {
    const headers = await byUser(world)
    const params = { id: world.live.id }
    const { data } = await world.server.client().call('portal.sessions.accessLog', { headers, params })
    for (let n = data.total; n < 3; n++)
      await world.server.client(world.key).call('evidence.get', { params: { id: world.screenshotId } })
    return { headers, params }
  },
} satisfies Examples
