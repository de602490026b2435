import 'fake-indexeddb/auto'
import { expect, vi } from 'vitest'
import { openIndexedQueue } from '../src/platform/queue.idb.ts'
import { Companion } from '../src/session/companion.machine.ts'
import type { CompanionState } from '../src/session/companion.states.ts'
import { steps } from '../src/session/session.types.ts'
import { FakeWorld } from './fake-world.ts'

let made = 0
export const newWorld = (recording = false) => {
  const name = `machine-${made++}`
  return new FakeWorld(() => openIndexedQueue(name), recording)
}
export const link = 'https://x.example/companion/#K7QF-2M9X'

/** Opens the app of this world, as after a reload. */
export const open = (world: FakeWorld, opened?: string) => {
  world.time.forget()
  const companion = new Companion(world.ports)
  companion.start(opened)
  const on = <Name extends CompanionState['name']>(name: Name) =>
    vi.waitFor(
      () => {
        const state = companion.snapshot()
        expect(state.name).toBe(name)
        return state as Extract<CompanionState, { name: Name }>
      },
      { timeout: 10_000 },
    )
  const live = async (mode: string) => {
    await expect.poll(() => companion.snapshot()).toMatchObject({ name: 'live', live: { mode } })
    return on('live')
  }
  return { companion, on, live }
}
type App = ReturnType<typeof open>

export const place = async ({ companion, on }: App, answers = [true, true, true, true]) => {
  await on('placement')
  companion.openCamera()
  await expect.poll(() => companion.snapshot()).toMatchObject({ placement: { busy: false } })
  for (const [index, step] of steps.entries()) if (answers[index]) companion.tick(step)
  companion.takePhoto()
  await expect.poll(() => companion.snapshot()).toMatchObject({ placement: { photo: { contentType: 'image/jpeg' } } })
  companion.sendPhoto()
  await on('live')
}
export const toLive = async (world: FakeWorld) => {
  const app = open(world, link)
  await app.on('consent')
  app.companion.answer(true, 'en')
  await place(app)
  return app
}
export const recordings = (world: FakeWorld) => world.service.beats.map(({ recording, reason }) => reason ?? recording)
