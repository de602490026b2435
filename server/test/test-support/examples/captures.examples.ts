import { beginFor, clipFor, newFilm, newPicture, newSound, soundFor, stillFor, type World } from '../world.ts'
import { type Example, type Examples, ofAgent, ofKey, ofUser } from './example.ts'

const withBytes = (world: World, bytes: Buffer, meta: Record<string, unknown>): Example => ({
  ...ofAgent(world),
  json: { ...meta, data: bytes.toString('base64') },
})

export const capturesExamples = {
  'portal.screenshots.list': ofUser,
  'agent.screenshots.upload': async (world) => {
    const picture = await newPicture()
    return withBytes(world, picture, stillFor(world.server, picture))
  },
  'portal.audioChunks.list': ofUser,
  'agent.audioChunks.upload': (world) => {
    const sound = newSound()
    return withBytes(world, sound, soundFor(world.server, sound))
  },
  'sessions.systemAudio.list': ofKey,
  'portal.systemAudio.list': ofUser,
  'agent.systemAudio.begin': (world) => ({ ...ofAgent(world), json: beginFor(world.server, newSound()) }),
  'agent.systemAudio.upload': (world) => {
    const sound = newSound()
    return withBytes(world, sound, soundFor(world.server, sound))
  },
  'portal.cameraFrames.list': ofUser,
  'agent.cameraFrames.upload': async (world) => {
    const picture = await newPicture()
    return withBytes(world, picture, stillFor(world.server, picture))
  },
  'portal.cameraClips.list': ofUser,
  'agent.cameraClips.upload': (world) => {
    const film = newFilm()
    return withBytes(world, film, clipFor(world.server, film))
  },
} satisfies Examples
