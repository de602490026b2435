import { byUser, type Examples, type MakeExample, ofScheduled } from './example.ts'

/** Live sessions are never simulated: there, any session stands for one that might have been. */
const ofSimulated: MakeExample = async (world) => {
  const example = await ofScheduled(world)
  const { params } = example
  if (world.scope.environment === 'sandbox' && params)
    await world.server
      .client(world.key)
      .call('sandbox.simulate', { params: { id: params['id'] ?? '' }, body: { scenario: 'complete_interview' } })
  return example
}

export const sandboxExamples = {
  'sandbox.simulate': async (world) => ({ ...(await ofScheduled(world)), json: { scenario: 'complete_interview' } }),
  'sandbox.simulation': ofSimulated,
  'portal.sandbox.simulate': async (world) => ({
    ...(await ofScheduled(world)),
    headers: await byUser(world),
    json: { scenario: 'complete_interview' },
  }),
  'portal.sandbox.simulation': async (world) => ({ ...(await ofSimulated(world)), headers: await byUser(world) }),
} satisfies Examples
