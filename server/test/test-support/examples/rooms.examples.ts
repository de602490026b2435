import { deviceAnswer, mintToken } from '../devices.ts'
import { scheduleSession } from '../world.ts'
import { bearer, type Examples } from './example.ts'

export const roomsExamples = {
  'rooms.get': (world) => ({ headers: bearer(world.live.room), params: { sessionId: world.live.id } }),
  'rooms.consent': async (world) => {
    const session = await scheduleSession(world.server.client(world.key))
    const token = await mintToken(world.server, world.scope, session.id, 'room')
    const { data } = await world.server.client(token).call('rooms.get', { params: { sessionId: session.id } })
    const json = deviceAnswer(world.server, data.consentDocument.hash)
    return { headers: bearer(token), params: { sessionId: session.id }, json }
  },
  'rooms.release': async (world) => {
    const token = await mintToken(world.server, world.scope, world.live.id, 'room')
    return { headers: bearer(token), params: { sessionId: world.live.id }, json: {} }
  },
} satisfies Examples
