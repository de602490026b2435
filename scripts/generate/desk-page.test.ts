import { expect, it } from 'vitest'
import { idleReasons, unplaced } from './desk-page.ts'

it('each endpoint that a person may call has a room of the desk, or a reason', () => {
  expect(unplaced()).toEqual([])
  expect(idleReasons()).toEqual([])
})
