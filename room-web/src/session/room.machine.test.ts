import { failed } from '@integrity/client/test-support/failed'
import { describe, expect, it } from 'vitest'
import { Tab } from '../../test/room-under-test.ts'

const tenSeconds = 10_000

describe('pictures', () => {
  it('are taken at once and then one every interval, and are sent as they were taken', async () => {
    const tab = new Tab()
    await tab.toLive()
    tab.time.advance(tenSeconds - 1)
    tab.time.advance(1)
    await tab.sent(2)
    tab.time.advance(tenSeconds)
    await tab.sent(3)
    const stills = [...tab.service.stills.values()]
    expect(stills.map(({ capturedAt }) => capturedAt.slice(14, 19))).toEqual(['00:00', '00:10', '00:20'])
    expect(stills[1]).toMatchObject({ contentType: 'image/webp', width: 640, height: 360 })
    expect(new TextDecoder().decode(stills[1]?.bytes)).toBe('picture 2')
    const shown = await tab.state('live', ({ sending }) => sending.lastSent?.clientId === stills[2]?.clientId)
    expect(shown.health).toBe('ok')
    expect(tab.awake).toBe(1)
  })

  it('wait while the network is away, and then arrive once each, oldest first', async () => {
    const tab = new Tab()
    await tab.toLive()
    tab.service.online = false
    for (let i = 1; i <= 4; i++) {
      tab.time.advance(tenSeconds)
      await tab.waiting(i)
    }
    const { sending } = await tab.state('live', (state) => !state.sending.reached)
    expect(sending.progress).toEqual({ waiting: 4, sent: 1, thinned: 0, refused: 0 })
    tab.service.online = true
    tab.networkBack()
    tab.time.advance(1_000)
    await tab.sent(5)
    const order = [...tab.service.stills.values()].map(({ capturedAt }) => capturedAt)
    expect(order).toEqual([...order].sort())
    await tab.state('live', (state) => state.sending.reached)
  })

  it('are not a second still when the answer to the first attempt was lost', async () => {
    const tab = new Tab()
    await tab.toLive()
    tab.service.loseAnswer = true
    tab.time.advance(tenSeconds)
    await tab.state('live', ({ sending }) => !sending.reached)
    tab.time.advance(2_000)
    await tab.sent(2)
    expect(tab.service.sends).toBe(3)
    expect(tab.service.stills.size).toBe(2)
  })

  it('go on after a reload with the same camera, and what waited is sent', async () => {
    const tab = new Tab()
    await tab.toLive()
    tab.service.online = false
    tab.time.advance(tenSeconds)
    await tab.waiting(1)
    tab.service.online = true
    await tab.reload()
    await tab.sent(3)
    expect(tab.camera.opened.map(({ device }) => device.id)).toEqual(['cam-1'])
    expect(tab.service.stills.size).toBe(3)
  })

  it('follow another interval of the policy from the next one on', async () => {
    const tab = new Tab()
    await tab.toLive()
    tab.service.setCamera({ stillIntervalSeconds: 3_600 })
    tab.time.advance(tenSeconds)
    await tab.sent(2)
    tab.time.advance(5_000)
    await tab.state('live', ({ facts }) => facts.config.camera.stillIntervalSeconds === 3_600)
    tab.time.advance(20_000)
    tab.service.setCamera({ stillIntervalSeconds: 2 })
    tab.time.advance(15_000)
    await tab.state('live', ({ facts }) => facts.config.camera.stillIntervalSeconds === 2)
    tab.time.advance(1)
    await tab.sent(3)
  })

  it('are not made up when the camera gives none, and the person is told', async () => {
    const tab = new Tab()
    await tab.toLive()
    tab.camera.gives = 'nothing'
    tab.time.advance(tenSeconds)
    await tab.state('live', ({ health }) => health === 'no_picture')
    tab.camera.gives = 'pictures'
    // Looked at again soon, not only after the interval.
    tab.time.advance(5_000)
    await tab.state('live', ({ health }) => health === 'ok')
    await tab.sent(2)
  })

  it('whose pixels are the same again and again are sent, and said to be so', async () => {
    const tab = new Tab()
    await tab.toLive()
    tab.camera.gives = 'same'
    for (let i = 2; i <= 4; i++) {
      expect((await tab.state('live')).health).toBe('ok')
      tab.time.advance(tenSeconds)
      await tab.sent(i)
    }
    expect((await tab.state('live')).health).toBe('same_picture')
  })

  it('that the service will never take do not hold up the others', async () => {
    const tab = new Tab()
    await tab.toLive()
    tab.service.sendProblems.push(failed('refused'))
    tab.time.advance(tenSeconds)
    await tab.state('live', ({ sending }) => sending.progress.refused === 1)
    tab.service.sendProblems.push(failed('forbidden'))
    tab.time.advance(tenSeconds)
    await tab.state('live', ({ sending }) => sending.progress.refused === 2)
    tab.time.advance(tenSeconds)
    await tab.sent(2)
  })

  it('wait as long as the service asks for', async () => {
    const tab = new Tab()
    tab.service.setCamera({ stillIntervalSeconds: 3_600 })
    tab.service.sendProblems.push(failed('later', { retryAfterMs: 12_000 }))
    const live = tab.toLive()
    await tab.waiting(1)
    await expect.poll(() => tab.service.sends, { interval: 1 }).toBe(1)
    expect((await tab.state('live')).sending.reached).toBe(true)
    tab.time.advance(11_999)
    expect(tab.service.sends).toBe(1)
    tab.time.advance(501)
    await live
  })
})

describe('what ends it', () => {
  it('stop puts the camera off at once, sends what waits, then lets the room go', async () => {
    const tab = new Tab()
    await tab.toLive()
    tab.service.online = false
    tab.time.advance(tenSeconds)
    await tab.waiting(1)
    tab.room.stop()
    expect(tab.room.state.name).toBe('releasing')
    expect([tab.camera.openNow, tab.awake]).toEqual([0, 0])
    tab.service.online = true
    expect(tab.service.released).toBe(0)
    tab.networkBack()
    tab.time.advance(1_000)
    expect(await tab.state('done')).toEqual({ name: 'done', sent: 2, lost: 0 })
    expect(tab.service.stills.size).toBe(2)
    expect(tab.service.released).toBe(1)
    expect(tab.memory.forgotten).toBe(true)
    expect((await (await tab.queue()).progress('ses_1')).sent).toBe(0)
  })

  it('a reload while the last pictures are being sent goes on with that, and opens no camera', async () => {
    const tab = new Tab()
    await tab.toLive()
    tab.service.online = false
    tab.time.advance(tenSeconds)
    await tab.waiting(1)
    tab.room.stop()
    tab.service.online = true
    await tab.reload()
    expect(await tab.state('done')).toMatchObject({ sent: 2, lost: 0 })
    expect(tab.camera.opened).toEqual([])
  })

  it('leaving without a network gives up what waits on the person’s word, and says how much', async () => {
    const tab = new Tab()
    await tab.toLive()
    tab.service.online = false
    tab.time.advance(tenSeconds)
    await tab.waiting(1)
    tab.room.stop()
    tab.room.abandon()
    await tab.state('releasing', ({ lost }) => lost === 1)
    tab.service.online = true
    tab.time.advance(60_000)
    expect(await tab.state('done')).toMatchObject({ sent: 1, lost: 1 })
    expect(tab.service.stills.size).toBe(1)
  })

  it('the end of the interview puts the camera off and tells what could not be sent', async () => {
    const tab = new Tab()
    await tab.toLive()
    tab.service.online = false
    tab.time.advance(tenSeconds)
    await tab.waiting(1)
    tab.service.online = true
    tab.service.ended = 'session_ended'
    tab.networkBack()
    tab.time.advance(1_000)
    expect(await tab.state('refused')).toEqual({ name: 'refused', why: 'ended', lost: 1 })
    expect(tab.camera.openNow).toBe(0)
  })

  it('the end of the interview is noticed between two pictures that are far apart', async () => {
    const tab = new Tab()
    tab.service.setCamera({ stillIntervalSeconds: 3_600 })
    await tab.toLive()
    tab.service.ended = 'session_ended'
    tab.time.advance(15_000)
    await tab.state('refused')
  })

  it('consent that was withdrawn elsewhere stops it, and what waited is not kept', async () => {
    const tab = new Tab()
    await tab.toLive()
    tab.service.online = false
    tab.time.advance(tenSeconds)
    await tab.waiting(1)
    tab.service.online = true
    tab.service.sendProblems.push(failed('forbidden'))
    tab.service.setConsent(false)
    tab.networkBack()
    tab.time.advance(1_000)
    await tab.state('declined')
    expect(tab.camera.openNow).toBe(0)
    expect((await (await tab.queue()).progress('ses_1')).waiting).toBe(0)
    expect(tab.service.stills.size).toBe(1)
  })

  it('a policy that asks for no pictures puts the camera off, and on again when it asks anew', async () => {
    const tab = new Tab()
    await tab.toLive()
    tab.service.online = false
    tab.time.advance(tenSeconds)
    await tab.waiting(1)
    tab.service.online = true
    tab.service.setCamera({ stills: false })
    tab.time.advance(5_000)
    await tab.state('off')
    expect(tab.camera.openNow).toBe(0)
    // What was taken while it was asked for is still sent.
    await expect.poll(() => tab.service.stills.size, { interval: 1 }).toBe(2)
    tab.service.setCamera({ stills: true })
    tab.time.advance(15_000)
    await tab.state('live')
    expect(tab.camera.openNow).toBe(1)
  })

  it('a camera that goes away is said so, and goes on by itself when it is back', async () => {
    const tab = new Tab()
    await tab.toLive()
    const { devices } = tab.camera
    tab.camera.devices = devices.slice(1)
    tab.camera.opened[0]?.lose()
    await tab.state('camera', (state) => state.problem === 'lost' && state.devices.length === 1)
    expect(tab.awake).toBe(0)
    tab.camera.plug(devices)
    await tab.sent(2)
    expect(tab.camera.openNow).toBe(1)
  })

  it('another tab that takes over ends this one’s pictures', async () => {
    const tab = new Tab()
    await tab.toLive()
    tab.taken()
    await tab.state('elsewhere')
    tab.time.advance(60_000)
    expect([tab.camera.openNow, tab.service.stills.size]).toEqual([0, 1])
  })
})
