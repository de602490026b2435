import { beginFor, newSound, openUpload, sha256, type World } from '../world.ts'
import { bearer, type Examples, ofAgent } from './example.ts'

const ofUpload = (world: World, uploadId: string) => ({ headers: bearer(world.live.agent), params: { uploadId } })

export const uploadsExamples = {
  'agent.uploads.begin': (world) => ({ ...ofAgent(world), json: beginFor(world.server, newSound()) }),
  'agent.uploads.part': async (world) => {
    const bytes = newSound()
    const uploadId = await openUpload(world.server, world.live, bytes, false)
    return { ...ofUpload(world, uploadId), json: { index: 0, sha256: sha256(bytes), data: bytes.toString('base64') } }
  },
  'agent.uploads.status': async (world) => ofUpload(world, await openUpload(world.server, world.live)),
  'agent.uploads.complete': async (world) => ({
    ...ofUpload(world, await openUpload(world.server, world.live)),
    json: {},
  }),
  'agent.uploads.abort': async (world) => ({
    ...ofUpload(world, await openUpload(world.server, world.live)),
    json: {},
  }),
} satisfies Examples
