import { expect, it } from 'vitest'
import { deskPage } from './desk-page.ts'

it('each endpoint that a person may call has a room of the desk, or a reason', () => {
  const unplaced = deskPage()
    .split('\n')
    .filter((line) => line.endsWith('| none: not built |'))
    .map((line) => line.split('`')[1])
  expect(unplaced).toEqual([])
})
