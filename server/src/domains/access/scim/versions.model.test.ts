import { describe, expect, it } from 'vitest'
import { checkVersion } from './versions.model.ts'

const known = { version: 'W/"7"' }
const refused = expect.objectContaining({ status: 412 }) as Error

describe('If-Match of a directory', () => {
  it.each([undefined, '*', ' * ', 'W/"7"', '"7"', '"6", W/"7"', ' "7" '])('lets %j change what it knows', (tag) => {
    expect(() => checkVersion(tag, known)).not.toThrow()
  })
  it.each(['W/"8"', '"*"', '"6", "5*"', '"77"', '7', ''])('refuses %j, which names another state', (tag) => {
    expect(() => checkVersion(tag, known)).toThrow(refused)
  })
})
