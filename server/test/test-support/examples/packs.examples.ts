import { packedSound, packedStill, packOf } from '../packs.ts'
import { type Examples, ofAgent } from './example.ts'

export const packsExamples = {
  'agent.packs.upload': async (world) => {
    const items = [await packedStill(world.server), packedSound(world.server, { sequence: 0 })]
    return { ...ofAgent(world), json: { data: Buffer.from(packOf(items)).toString('base64') } }
  },
} satisfies Examples
