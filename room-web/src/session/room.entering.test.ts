import { failed } from '@integrity/client/test-support/failed'
import { describe, expect, it } from 'vitest'
import { Tab } from '../../test/room-under-test.ts'

describe('before the camera', () => {
  it('asks first, and opens no camera and sends nothing until the person has agreed and begun', async () => {
    const tab = new Tab()
    tab.room.start()
    const { facts } = await tab.state('consent')
    expect(facts.org.name).toBe('Org')
    tab.room.begin()
    tab.room.openCamera()
    tab.room.stop()
    tab.room.answer(true)
    await tab.state('camera')
    expect(tab.service.answers).toEqual([
      {
        version: '1',
        locale: 'en',
        documentHash: 'a'.repeat(64),
        accepted: true,
        acceptedAt: '2026-11-20T09:00:00.000Z',
      },
    ])
    expect(tab.camera.opened).toEqual([])
    tab.room.openCamera('cam-2')
    const { preview, devices } = await tab.state('camera', (state) => state.preview !== undefined)
    expect(preview?.device.label).toBe('Desk')
    expect(devices).toHaveLength(2)
    tab.time.advance(60_000)
    expect(tab.service.sends).toBe(0)
  })

  it('shows the new document when it changed meanwhile, and records only an answer to that', async () => {
    const tab = new Tab()
    tab.room.start()
    await tab.state('consent')
    tab.service.changeDocument()
    tab.room.answer(true)
    const { facts } = await tab.state('consent', ({ changed, busy }) => changed && !busy)
    expect(facts.consentDocument.hash).toBe('b'.repeat(64))
    expect(tab.service.answers).toEqual([])
    tab.room.answer(true)
    await tab.state('camera')
    expect(tab.service.answers[0]?.documentHash).toBe('b'.repeat(64))
  })

  it('reads the document anew when the page speaks another language, and keeps the words it has without the service', async () => {
    const tab = new Tab()
    tab.room.start()
    await tab.state('consent')
    tab.service.online = false
    tab.room.relocalise()
    tab.service.online = true
    tab.service.changeDocument()
    tab.room.relocalise()
    const { changed } = await tab.state('consent', ({ facts }) => facts.consentDocument.hash === 'b'.repeat(64))
    expect(changed).toBe(false)
    tab.room.answer(true)
    await tab.state('camera')
    expect(tab.service.answers[0]?.documentHash).toBe('b'.repeat(64))
    tab.room.relocalise()
    expect(tab.room.state.name).toBe('camera')
  })

  it('sends an answer once, however often the button is pressed, and says when it did not arrive', async () => {
    const tab = new Tab()
    tab.room.start()
    await tab.state('consent')
    tab.service.online = false
    tab.room.answer(true)
    await tab.state('consent', ({ problem, busy }) => problem && !busy)
    tab.service.online = true
    for (let i = 0; i < 3; i++) tab.room.answer(true)
    await tab.state('camera')
    expect(tab.service.answers).toHaveLength(1)
  })

  it('goes where the service is when it no longer asks while the document is being read', async () => {
    const tab = new Tab()
    tab.room.start()
    await tab.state('consent')
    tab.service.setCamera({ enabled: false })
    tab.service.answer = () => Promise.reject(failed('forbidden'))
    tab.room.answer(true)
    await tab.state('off')
  })

  it('takes no for an answer, and lets it be thought over', async () => {
    const tab = new Tab()
    tab.room.start()
    await tab.state('consent')
    tab.room.answer(false)
    await tab.state('declined')
    expect(tab.service.answers[0]?.accepted).toBe(false)
    expect(tab.camera.opened).toEqual([])
    tab.service.online = false
    tab.room.reconsider()
    await tab.state('declined', ({ problem }) => problem)
    tab.service.online = true
    tab.room.reconsider()
    await tab.state('consent')
    tab.room.answer(true)
    await tab.state('camera')
  })

  it.each(['denied', 'none', 'busy'] as const)(
    'says that the camera is %s, and tries again when asked',
    async (problem) => {
      const tab = new Tab()
      tab.service.setConsent(true)
      tab.camera.problem = problem
      tab.room.start()
      await tab.state('camera')
      tab.room.openCamera()
      await tab.state('camera', (state) => state.problem === problem && !state.busy)
      tab.camera.problem = undefined
      tab.room.openCamera()
      await tab.state('camera', (state) => state.preview !== undefined && state.problem === undefined)
    },
  )

  it('has one camera open at a time when another one is chosen', async () => {
    const tab = new Tab()
    tab.service.setConsent(true)
    tab.room.start()
    await tab.state('camera')
    tab.room.openCamera('cam-1')
    tab.room.openCamera('cam-2')
    await tab.state('camera', ({ preview }) => preview?.device.id === 'cam-2')
    expect(tab.camera.openNow).toBe(1)
  })

  it.each([
    ['nothing it knows', 'wrong'],
    ['expired', 'expired'],
    ['released', 'released'],
    ['session_ended', 'ended'],
  ] as const)('that the service calls the link %s is shown as %s', async (reason, why) => {
    const tab = new Tab()
    tab.service.ended = reason
    tab.room.start()
    expect(await tab.state('refused')).toEqual({ name: 'refused', why, lost: 0 })
    expect(tab.memory.forgotten).toBe(true)
  })

  it('tries again by itself while the service cannot be reached', async () => {
    const tab = new Tab()
    tab.service.online = false
    tab.room.start()
    await tab.state('unreachable')
    tab.time.advance(2_000)
    await tab.state('unreachable')
    tab.service.online = true
    tab.time.advance(60_000)
    await tab.state('consent')
  })

  it('leaves the room to the tab that has it, until the person takes it over', async () => {
    const tab = new Tab()
    tab.free = false
    tab.room.start()
    await tab.state('elsewhere')
    tab.room.takeOver()
    await tab.state('consent')
  })

  it('goes on by itself when the tab that had the room has gone: it may have been this one, before a reload', async () => {
    const tab = new Tab()
    tab.service.setConsent(true)
    tab.memory.camera = tab.camera.devices[0]?.id
    tab.free = false
    tab.room.start()
    await tab.state('elsewhere')
    tab.otherCloses()
    await tab.state('live')
  })

  it('stays as it is when the page has failed, whether the room comes free or the network is back', async () => {
    const [late, cut] = [new Tab(), new Tab()]
    late.free = false
    late.room.start()
    await late.state('elsewhere')
    late.room.suspend()
    late.otherCloses()
    cut.service.online = false
    cut.room.start()
    await cut.state('unreachable')
    cut.room.suspend()
    cut.service.online = true
    const asked = [late.service.reads, cut.service.reads]
    cut.networkBack()
    await new Promise((resolve) => setTimeout(resolve))
    expect([late.service.reads, cut.service.reads]).toEqual(asked)
  })

  it('says so when the browser has no camera for this page, or keeps nothing', async () => {
    const [blind, forgetful] = [new Tab(), new Tab()]
    blind.camera.supported = false
    blind.room.start()
    expect(await blind.state('unsupported')).toMatchObject({ why: 'camera' })
    forgetful.noStorage = true
    forgetful.room.start()
    expect(await forgetful.state('unsupported')).toMatchObject({ why: 'storage' })
  })
})
