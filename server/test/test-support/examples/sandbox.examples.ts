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

/** Members are of both environments: theirs is a session of the sandbox, whichever the world is of. */
const ofMember: MakeExample = async (world) => {
  const headers = await byUser(world)
  const { id } = (
    await world.server.client().call('portal.sessions.create', {
      headers,
      params: { orgId: world.scope.orgId },
      body: { environment: 'sandbox' },
    })
  ).data
  return { headers, params: { id } }
}

const played = { scenario: 'complete_interview' } as const

export const sandboxExamples = {
  'sandbox.simulate': async (world) => ({ ...(await ofScheduled(world)), json: played }),
  'sandbox.simulation': ofSimulated,
  'portal.sandbox.simulate': async (world) => ({ ...(await ofMember(world)), json: played }),
  'portal.sandbox.simulation': async (world) => {
    const example = await ofMember(world)
    const params = { id: example.params?.['id'] ?? '' }
    await world.server.client().call('portal.sandbox.simulate', { headers: example.headers, params, body: played })
    return example
  },
} satisfies Examples
