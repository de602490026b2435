import { type Examples, ofOrg } from './example.ts'

export const timestampsExamples = {
  'portal.timestamps.get': ofOrg,
  'portal.timestamps.set': async (world) => ({ ...(await ofOrg(world)), json: { authority: null } }),
} satisfies Examples
