import { compositionIdOf } from '../../../src/domains/review/compositions/compositions.id.model.ts'
import { filmedSession, readyFilm } from '../world.ts'
import { byKey, byUser, type Examples, type MakeExample } from './example.ts'

const ofFilmed: MakeExample = async (world) => ({
  headers: byKey(world),
  params: { id: (await filmedSession(world)).id },
})
const ofComposition: MakeExample = async (world) => ({
  headers: byKey(world),
  params: { id: compositionIdOf((await filmedSession(world)).id) },
})
const ofReadyComposition: MakeExample = async (world) => ({
  headers: byKey(world),
  params: { id: (await readyFilm(world)).id },
})
const ofReadyCompositionToken: MakeExample = async (world) => {
  const params = { id: (await readyFilm(world)).id }
  const { data } = await world.server.client(world.key).call('compositions.downloadUrl', { params })
  return { params, query: { token: new URL(data.url).searchParams.get('token') ?? '' } }
}
const ofPortalFilmed: MakeExample = async (world) => ({
  headers: await byUser(world),
  params: { id: (await filmedSession(world)).id },
})
const ofPortalComposition: MakeExample = async (world) => {
  const { id } = await filmedSession(world)
  return { headers: await byUser(world), params: { id, compositionId: compositionIdOf(id) } }
}
const ofPortalReadyComposition: MakeExample = async (world) => {
  const { id, sessionId } = await readyFilm(world)
  return { headers: await byUser(world), params: { id: sessionId, compositionId: id } }
}

export const compositionsExamples = {
  'sessions.compositions.list': ofFilmed,
  'compositions.get': ofComposition,
  'compositions.render': async (world) => ({ ...(await ofComposition(world)), json: {} }),
  'compositions.downloadUrl': async (world) => ({ ...(await ofReadyComposition(world)), json: {} }),
  'compositions.content': ofReadyCompositionToken,
  'portal.compositions.list': ofPortalFilmed,
  'portal.compositions.render': async (world) => ({ ...(await ofPortalComposition(world)), json: {} }),
  'portal.compositions.content': ofPortalReadyComposition,
} satisfies Examples
