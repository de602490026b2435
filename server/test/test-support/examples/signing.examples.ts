import { reviewedSession, signOff } from '../reviews.ts'
import { byUser, type Examples } from './example.ts'

export const signingExamples = {
  'portal.report.signOff': async (world) => ({
    headers: await byUser(world),
    params: { id: (await reviewedSession(world)).id },
    json: { statement: 'I have read all of it.', expectedRevision: 0 },
  }),
  'portal.coverage.annotate': async (world) => {
    const { id } = await reviewedSession(world)
    await signOff(world, id)
    const { data } = await world.server.client(world.key).call('sessions.get', { params: { id } })
    return {
      headers: await byUser(world),
      params: { id },
      json: { at: data.startedAt, meaning: 'benign', text: 'They plugged in a second display, as they had said.' },
    }
  },
} satisfies Examples
