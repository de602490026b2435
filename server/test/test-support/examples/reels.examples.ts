import { filmedSession } from '../world.ts'
import { byKey, byUser, type Examples, type MakeExample, ofKey, ofUser } from './example.ts'

/** Of a session that is over: what is seen of one that goes on is a look at it live. */
const reelOf =
  (
    headers: (
      world: Parameters<MakeExample>[0],
    ) => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>,
  ): MakeExample =>
  async (world) => ({
    headers: await headers(world),
    params: { id: (await filmedSession(world)).id, source: 'screen:d1' },
    query: { from: '0', to: '60000' },
  })

export const reelsExamples = {
  'sessions.reelIndex.get': ofKey,
  'portal.reelIndex.get': ofUser,
  'sessions.reels.get': reelOf(byKey),
  'portal.reels.get': reelOf(byUser),
} satisfies Examples
