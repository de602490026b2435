import { type Examples, ofOrg } from './example.ts'

export const witnessesExamples = {
  'portal.witnesses.get': ofOrg,
  'portal.witnesses.set': async (world) => ({
    ...(await ofOrg(world)),
    json: { mail: false, webhook: false, witness: null },
  }),
} satisfies Examples
