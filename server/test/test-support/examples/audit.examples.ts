import { type Examples, ofOrg } from './example.ts'

export const auditExamples = {
  // Of a session that is over, so that nothing comes in while a page is turned.
  'portal.auditLogs.list': async (world) => ({ ...(await ofOrg(world)), query: { sessionId: world.ended.id } }),
  'portal.auditLogs.verify': ofOrg,
  'portal.auditLogs.export': ofOrg,
} satisfies Examples
