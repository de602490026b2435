import { reviewedSession, signOff } from '../reviews.ts'
import { byUser, type Examples } from './example.ts'

export const notesExamples = {
  'portal.notes.list': async (world) => {
    const headers = await byUser(world)
    const params = { id: world.live.id }
    const { data } = await world.server.client().call('portal.notes.list', { headers, params })
    for (let n = data.total; n < 3; n++)
      await world.server.client().call('portal.notes.add', { headers, params, body: { text: `Note ${n}.` } })
    return { headers, params }
  },
  'portal.notes.add': async (world) => {
    const { id } = await reviewedSession(world)
    await signOff(world, id)
    return {
      headers: await byUser(world),
      params: { id },
      json: { text: 'The second voice is the radio.', anchor: { atMs: 0 } },
    }
  },
} satisfies Examples
