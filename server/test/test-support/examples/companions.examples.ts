import { placementSteps } from '@integrity/protocol'
import { agreeOnDevice, claimPhone, deviceAnswer, type Phone } from '../devices.ts'
import { newClientId, newPicture, nowIso, scheduleSession, sha256, type World } from '../world.ts'
import { bearer, type Examples, ofAgent, ofUser } from './example.ts'

const freshPhone = async ({ server, key }: World): Promise<Phone> => {
  const api = server.client(key)
  return claimPhone(server, api, (await scheduleSession(api)).id)
}
const agreedPhone = async (world: World): Promise<Phone> => {
  const phone = await freshPhone(world)
  const { server, key } = world
  await agreeOnDevice(server, server.client(key), phone.sessionId, phone.token, 'companion')
  return phone
}
/** Beats a second apart, the last one now. */
const beatsOf = ({ server }: World, states: readonly ('on' | 'off' | 'interrupted')[]) =>
  states.map((recording, index) => ({
    clientId: newClientId(),
    at: new Date(server.clock.now() - 1000 * (states.length - 1 - index)).toISOString(),
    recording,
  }))
const ofPhone = (phone: Phone) => ({ headers: bearer(phone.token), params: { sessionId: phone.sessionId } })
const freshCode = async ({ server, key }: World): Promise<string> => {
  const api = server.client(key)
  const { id } = await scheduleSession(api)
  return (await api.call('sessions.joinLinks.create', { params: { id }, body: { role: 'companion' } })).data.joinCode
}
const newPreview = async ({ server }: World) =>
  ({
    capturedAt: nowIso(server),
    contentType: 'image/webp',
    data: (await newPicture()).toString('base64'),
  }) as const

export const companionsExamples = {
  'pairings.claim': async (world) => ({ params: { joinCode: await freshCode(world) }, json: { locale: 'hi-IN' } }),
  'pairings.consent': async (world) => {
    const phone = await freshPhone(world)
    return { ...ofPhone(phone), json: deviceAnswer(world.server, phone.documentHash) }
  },
  'pairings.presence': async (world) => {
    const beats = beatsOf(world, ['on', 'off', 'interrupted', 'off'])
    return { ...ofPhone(await agreedPhone(world)), json: { beats } }
  },
  'pairings.unpair': async (world) => {
    const phone = await agreedPhone(world)
    const call = { params: { sessionId: phone.sessionId }, body: { beats: beatsOf(world, ['on']) } }
    await world.server.client(phone.token).call('pairings.presence', call)
    return { ...ofPhone(phone), json: {} }
  },
  'companion.get': (world) => ({ headers: bearer(world.live.companion), params: { id: world.live.id } }),
  'companion.joinLinks.create': (world) => ({ ...ofAgent(world), json: {} }),
  'companion.placement': async (world) => {
    const picture = await newPicture()
    const photo = { contentType: 'image/webp', sha256: sha256(picture), data: picture.toString('base64') }
    const steps = placementSteps.map((step) => ({ step, confirmed: true }))
    return { headers: bearer(world.live.companion), params: { id: world.live.id }, json: { steps, photo } }
  },
  'companion.preview.get': async (world) => {
    const body = await newPreview(world)
    await world.server
      .client(world.live.companion)
      .call('companion.preview.push', { params: { id: world.live.id }, body })
    return ofUser(world)
  },
  'companion.preview.push': async (world) => ({
    headers: bearer(world.live.companion),
    params: { id: world.live.id },
    json: await newPreview(world),
  }),
} satisfies Examples
