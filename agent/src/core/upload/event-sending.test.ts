import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { failure } from './test-support/scripted-server.ts'
import { UploadPlace } from './test-support/upload-place.ts'

let place: UploadPlace
beforeEach(async () => {
  place = await UploadPlace.open()
})
afterEach(() => place.close())

/** How many events each request so far brought. */
const batches = (): number[] =>
  place.server.seen
    .filter(({ path }) => path.endsWith('/events'))
    .map(({ body }) => (JSON.parse(body.toString()) as { events: unknown[] }).events.length)

describe('events', () => {
  it('wait for company on the disk, but not while somebody watches', async () => {
    const uploader = place.buildUploader()
    place.putEvents(2)
    await uploader.processAll()
    for (let tens = 0; tens < 4; tens += 1) {
      place.putEvents(3)
      await uploader.processAll()
      place.clock.advance(10_000)
    }
    expect(batches()).toEqual([2])
    expect(place.spool.remaining().events).toBe(12)
    place.clock.advance(1000)
    await uploader.processAll()
    expect(batches()).toEqual([2, 12])
    uploader.atOnceFor(60_000)
    place.putEvents(1)
    await uploader.processAll()
    expect(batches()).toEqual([2, 12, 1])
  })

  it('take all that wait along when one of them presses', async () => {
    const uploader = place.buildUploader()
    await uploader.processAll()
    place.putEvents(1)
    await uploader.processAll()
    place.putEvents(3)
    await uploader.processAll()
    expect(batches()).toEqual([1])
    uploader.nudge(['foreground.changed', 'lane.health'])
    await uploader.processAll()
    expect(batches()).toEqual([1, 3])
  })

  it('that wait when the agent is killed are sent at once by the next start', async () => {
    const uploader = place.buildUploader()
    place.putEvents(1)
    await uploader.processAll()
    const ids = place.putEvents(4)
    await uploader.processAll()
    await place.spool.close()
    await place.openAgain()
    await place.buildUploader().processAll()
    expect(batches()).toEqual([1, 4])
    expect([...place.service.events.keys()].slice(1)).toEqual(ids)
    expect(place.spool.remaining().events).toBe(0)
  })

  it('wait ten seconds where the live link does not stand', async () => {
    const uploader = place.buildUploader({ isLinked: () => false })
    place.putEvents(1)
    await uploader.processAll()
    place.putEvents(2)
    await uploader.processAll()
    expect(batches()).toEqual([1])
    place.clock.advance(10_000)
    await uploader.processAll()
    expect(batches()).toEqual([1, 2])
  })

  it('do not gather a second time after an outage', async () => {
    const uploader = place.buildUploader()
    place.putEvents(1)
    await uploader.processAll()
    place.putEvents(2)
    await uploader.processAll()
    place.clock.advance(41_000)
    place.server.outage = 'lose_answer'
    await uploader.processAll()
    place.server.outage = undefined
    place.clock.advance(1000)
    await uploader.processAll()
    expect(batches().at(-1)).toBe(2)
    expect(place.spool.remaining().events).toBe(0)
  })

  it('that are refused together go on in halves without a wait', async () => {
    place.server.script.push(failure(400, 'invalid_request'))
    place.putEvents(4)
    await place.buildUploader().processAll()
    expect(batches()).toEqual([4, 2, 2])
    expect(place.spool.remaining().events).toBe(0)
  })
})
