import { describe, expect, it } from 'vitest'
import { pinsOf } from './pins.ts'

const pinning = {
  enforced: true,
  pins: [
    { host: 'service.example', spkiSha256: ['one', 'two'] },
    { host: '::1', spkiSha256: ['three'] },
  ],
}

describe('the pins of a host', () => {
  it.each([
    ['service.example', ['one', 'two']],
    ['SERVICE.Example', ['one', 'two']],
    ['service.example.', ['one', 'two']],
    ['[::1]', ['three']],
    ['other.example', undefined],
    ['not.service.example', undefined],
  ])('%s: %j', (host, pins) => {
    expect(pinsOf(pinning as never, host)).toEqual(pins)
  })

  it('are none while pinning is lifted, or where none were published', () => {
    expect(pinsOf({ ...pinning, enforced: false } as never, 'service.example')).toBeUndefined()
    expect(pinsOf(undefined, 'service.example')).toBeUndefined()
  })
})
