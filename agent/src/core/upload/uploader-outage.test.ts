import { maxSmallBytes } from '@integrity/protocol'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { failure } from './test-support/scripted-server.ts'
import { UploadPlace } from './test-support/upload-place.ts'

let place: UploadPlace

beforeEach(async () => {
  place = await UploadPlace.open()
  place.withoutPacks()
})
afterEach(() => place.close())

describe('an outage', () => {
  it.each([
    [2, 'idle'],
    [3, 'offline'],
  ] as const)('is not said of fewer than three server errors in a row: %i', async (errors, state) => {
    place.server.script.push(...Array.from({ length: errors }, () => failure(500, 'internal_error')))
    for (let index = 0; index < errors; index += 1) await place.put()
    const uploader = place.buildUploader()
    await uploader.processAll()
    expect(place.server.seen).toHaveLength(errors)
    expect(uploader.status().state).toBe(state)
    // Another item is sent at once, or waits until the next look.
    await place.put()
    await uploader.processAll()
    expect(place.service.stored.size).toBe(state === 'idle' ? 1 : 0)
  })

  it('counts requests that were under way together as one failure, and looks again after a second', async () => {
    await place.put()
    await place.put()
    const both = Promise.withResolvers<void>()
    place.server.onRequest = () => {
      if (place.server.seen.length === 2) both.resolve()
      return both.promise
    }
    place.server.script.push('lose_answer', 'lose_answer')
    const uploader = place.buildUploader()
    await uploader.processAll()
    expect(place.server.seen).toHaveLength(2)
    place.clock.advance(999)
    await uploader.processAll()
    expect(place.server.seen).toHaveLength(2)
    place.clock.advance(1)
    await uploader.processAll()
    expect(place.spool.remaining().items).toBe(0)
  })
})

describe('one request', () => {
  it.each([
    [maxSmallBytes, 'POST /v1/sessions/ses_1/screenshots'],
    [maxSmallBytes + 1, 'POST /v1/sessions/ses_1/evidence'],
  ])('takes what is as large as one may be, and no byte more: %i', async (size, path) => {
    await place.put({ bytes: Buffer.alloc(size, 7) })
    // Where it is sent is all that is asked.
    place.server.script.push(failure(400, 'invalid_request'))
    await place.buildUploader().processAll()
    expect(place.paths()).toEqual([path])
  })
})
