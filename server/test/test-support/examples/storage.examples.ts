import { type Examples, ofOrg } from './example.ts'

export const storageExamples = {
  'portal.storage.get': ofOrg,
  'portal.storage.put': async (world) => ({ ...(await ofOrg(world)), json: { provider: 'local' } }),
  'portal.storage.validate': ofOrg,
  'portal.storage.migrate': async (world) => ({ ...(await ofOrg(world)), json: { maxObjects: 1 } }),
  'portal.storage.migration': ofOrg,
} satisfies Examples
