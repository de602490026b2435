import { describe, expect, it, vi } from 'vitest'
import { FakeWorld } from '../../test/fake-world.ts'
import { Placement } from './placement.ts'
import { steps } from './session.types.ts'

const begin = () => {
  const world = new FakeWorld(() => Promise.reject(new Error('nothing is queued here')))
  let changes = 0
  const placement = new Placement(world.ports, () => {
    changes += 1
  })
  return { world, placement, changes: () => changes }
}
const settled = () => new Promise<void>((resolve) => setImmediate(resolve))

describe('placing the phone', () => {
  it('begins with every step unanswered and nothing to send', () => {
    const { placement } = begin()
    expect(placement.view.answers).toEqual(steps.map((step) => ({ step, confirmed: false })))
    expect(placement.itemOf('item-00000001', 'ses_1')).toBeUndefined()
  })

  it('takes a tick back when it is given a second time, and leaves the other steps alone', () => {
    const { placement } = begin()
    const confirmed = () => placement.view.answers.filter((one) => one.confirmed).map(({ step }) => step)
    placement.tick('angle')
    placement.tick('height')
    expect(confirmed()).toEqual(['height', 'angle'])
    placement.tick('angle')
    expect(confirmed()).toEqual(['height'])
  })

  it('opens one camera, however often it is asked to', async () => {
    const { world, placement } = begin()
    const opened = vi.spyOn(world.ports.camera, 'open')
    await Promise.all([placement.open(), placement.open()])
    await placement.open()
    expect(opened).toHaveBeenCalledTimes(1)
    expect(placement.view).toMatchObject({ busy: false, problem: undefined })
  })

  it('says which problem a camera has, and opens it once that is over', async () => {
    const { world, placement } = begin()
    world.cameraProblem = 'permission_denied'
    await placement.open()
    expect(placement.view).toMatchObject({ busy: false, camera: undefined, problem: 'permission_denied' })
    world.cameraProblem = undefined
    await placement.open()
    expect(placement.view).toMatchObject({ problem: undefined, camera: world.camera })
  })

  it('calls a failure that no camera names a camera that is busy', async () => {
    const { world, placement } = begin()
    vi.spyOn(world.ports.camera, 'open').mockRejectedValue(new TypeError('odd'))
    await placement.open()
    expect(placement.view.problem).toBe('camera_busy')
  })

  it('lets a camera go that opened after the end', async () => {
    const { world, placement } = begin()
    const opening = placement.open()
    expect(placement.end()).toBeUndefined()
    await opening
    expect(world.camera.closed).toBe(true)
    expect(placement.view.camera).toBeUndefined()
  })

  it('hands the open camera over at its end, and looks at it no more', async () => {
    const { world, placement, changes } = begin()
    await placement.open()
    await settled()
    const sampled = vi.spyOn(world.camera, 'sample')
    expect(placement.end()).toBe(world.camera)
    const before = changes()
    world.time.advance(10_000)
    await settled()
    world.camera.health('ended')
    expect(sampled).not.toHaveBeenCalled()
    expect([world.camera.closed, changes()]).toEqual([false, before])
  })

  it('takes the photo away with the camera that it was taken with', async () => {
    const { world, placement } = begin()
    await placement.open()
    await placement.shoot()
    expect(placement.view.photo).toBeDefined()
    world.camera.health('muted')
    expect(placement.view.photo).toBeDefined()
    world.camera.health('ended')
    expect(placement.view).toMatchObject({ camera: undefined, photo: undefined, problem: 'camera_missing' })
    expect(world.camera.closed).toBe(true)
  })
})

describe('the photo of where it stands', () => {
  it('is dated by the server and sent with every answer as it was given', async () => {
    const { world, placement } = begin()
    world.ahead = 5_000
    await placement.open()
    placement.tick('hands_visible')
    await placement.shoot()
    expect(placement.itemOf('item-00000001', 'ses_1')).toEqual({
      kind: 'placement',
      clientId: 'item-00000001',
      sessionId: 'ses_1',
      at: world.time.nowMs + 5_000,
      steps: steps.map((step) => ({ step, confirmed: step === 'hands_visible' })),
      photo: world.camera.picture,
    })
  })

  it('is not there when the camera gave none, which is said, and may be taken again', async () => {
    const { world, placement } = begin()
    await placement.open()
    world.camera.picture = undefined
    await placement.shoot()
    expect(placement.view).toMatchObject({ photo: undefined, noPhoto: true, busy: false })
    vi.spyOn(world.camera, 'take').mockRejectedValueOnce(new Error('gone'))
    await placement.shoot()
    expect(placement.view).toMatchObject({ photo: undefined, noPhoto: true })
    world.camera.picture = { bytes: new ArrayBuffer(3), contentType: 'image/webp' }
    await placement.shoot()
    expect(placement.view).toMatchObject({ noPhoto: false, photo: { contentType: 'image/webp' } })
  })

  it('is nothing without a camera', async () => {
    const { placement } = begin()
    await placement.shoot()
    expect(placement.view).toMatchObject({ photo: undefined, noPhoto: false })
  })

  it('says that it could not be kept until it is taken again', async () => {
    const { placement } = begin()
    await placement.open()
    await placement.shoot()
    placement.refuse()
    expect(placement.view).toMatchObject({ full: true, photo: expect.anything() })
    placement.retake()
    expect(placement.view).toMatchObject({ full: false, photo: undefined })
  })
})
