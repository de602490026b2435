import { newPicture, oncePerWorld, stillFor, type World } from '../world.ts'
import { byKey, byUser, type Examples, ofKey, ofUser } from './example.ts'
import { anOwnRecipient } from './recipients.examples.ts'

/** A picture that was stored while the organisation had a recipient of its own. */
const sealedToOwn = oncePerWorld(async (world) => {
  const { server, live } = world
  await anOwnRecipient(world)
  const picture = await newPicture()
  const body = { ...stillFor(server, picture), data: picture.toString('base64') }
  const { data } = await server.client(live.agent).call('agent.screenshots.upload', { params: { id: live.id }, body })
  return data.id
})

const downloadToken = async (world: World): Promise<string> => {
  const api = world.server.client(world.key)
  const { data } = await api.call('evidence.downloadUrl', { params: { id: world.screenshotId } })
  return new URL(data.url).searchParams.get('token') ?? ''
}

export const evidenceExamples = {
  'sessions.evidence.list': ofKey,
  'sessions.captureChain.get': ofKey,
  'portal.captureChain.get': ofUser,
  'evidence.get': (world) => ({ headers: byKey(world), params: { id: world.screenshotId } }),
  'evidence.downloadUrl': (world) => ({ headers: byKey(world), params: { id: world.screenshotId }, json: {} }),
  'evidence.content': async (world) => ({
    params: { id: world.screenshotId },
    query: { token: await downloadToken(world) },
  }),
  'evidence.sealed': async (world) => ({ headers: byKey(world), params: { id: await sealedToOwn(world) } }),
  'portal.evidence.sealed': async (world) => ({
    headers: await byUser(world),
    params: { id: await sealedToOwn(world) },
  }),
  'portal.evidence.list': ofUser,
  'portal.evidence.get': async (world) => ({ headers: await byUser(world), params: { id: world.screenshotId } }),
  'portal.evidence.content': async (world) => ({ headers: await byUser(world), params: { id: world.screenshotId } }),
} satisfies Examples
