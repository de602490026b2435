import { aidObservers } from '@integrity/protocol'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { watch } from '../../core/observers/test-support/watch.ts'
import { createPictureLooks, type PictureLooks } from './picture-looks.ts'
import { createPictureUnchangedObserver } from './picture-unchanged.ts'

const second = 1000

let looks: PictureLooks
let watched: ReturnType<typeof watch>
let mono: number
beforeEach(async () => {
  looks = createPictureLooks()
  mono = 0
  watched = watch([createPictureUnchangedObserver({ platform: 'linux', pictures: looks })])
  // The observer asks first whether it can see.
  await new Promise((resolve) => setTimeout(resolve, 20))
})
afterEach(() => watched.set.stop())

/** The camera shows `mark` at looks for so many seconds, each ten seconds after the one before. */
const shows = (mark: string, seconds: number, varies = true): void => {
  for (let passed = 0; passed < seconds; passed += 10) {
    mono += 10 * second
    looks.tell({ mono, mark, varies })
  }
}
/** Every picture is another one. */
const moves = (seconds: number): void => {
  for (let passed = 0; passed < seconds; passed += 10) shows(`noise ${mono}`, 10)
}
const told = () => watched.seen.map(({ kind, data }) => [kind, data.value])

describe('a picture of the camera that does not change', () => {
  it('makes one event after a minute, and one with its length when another picture comes', () => {
    moves(60)
    shows('one', 70)
    expect(told()).toEqual([
      ['picture.unchanged_started', { lane: 'camera', singleColour: false, unchangedMs: 60 * second }],
    ])
    shows('one', 50)
    moves(10)
    expect(told().slice(1)).toEqual([
      ['picture.unchanged_ended', { lane: 'camera', singleColour: false, durationMs: 110 * second }],
    ])
  })

  it('says in its event that it has a single colour, and makes another event the next time', () => {
    shows('black', 70, false)
    moves(10)
    shows('black', 70, false)
    expect(told().map(([kind]) => kind)).toEqual([
      'picture.unchanged_started',
      'picture.unchanged_ended',
      'picture.unchanged_started',
    ])
    expect(told()[0]).toMatchObject([expect.anything(), { singleColour: true }])
  })

  it('is nothing where each is another one, for less than a minute, or where two of them take turns', () => {
    moves(180)
    shows('one', 60)
    for (let turn = 0; turn < 10; turn += 1) shows(turn % 2 === 0 ? 'two' : 'one', 10)
    expect(told()).toEqual([])
  })

  it('is not known of a time without looks: what was told ends with the last of them', () => {
    shows('one', 70)
    mono += 300 * second
    shows('one', 50)
    expect(told()).toEqual([
      ['picture.unchanged_started', { lane: 'camera', singleColour: false, unchangedMs: 60 * second }],
      ['picture.unchanged_ended', { lane: 'camera', singleColour: false, durationMs: 60 * second }],
    ])
  })

  it('says nothing of a picture but that it stayed the same', () => {
    shows('what it shows', 70)
    moves(10)
    expect(watched.seen).toHaveLength(2)
    expect(JSON.stringify(watched.seen)).not.toContain('what it shows')
    expect(watched.seen.every(({ data }) => data.baseline === undefined)).toBe(true)
  })

  it('cannot be seen where nobody looks at a camera, and is off where no camera was agreed', async () => {
    expect(await createPictureUnchangedObserver({ platform: 'linux' }).probe()).toMatchObject({
      status: 'not_observable',
    })
    expect(aidObservers.no_camera).toContain('picture_unchanged')
  })
})
