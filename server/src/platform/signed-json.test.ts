import { ServiceError } from '@integrity/protocol'
import { describe, expect, it } from 'vitest'
import { readSignedJson } from './signed-json.ts'

const refused = (text: string | Buffer, maxValues?: number) => () => readSignedJson(Buffer.from(text), maxValues)

describe('a message of a provider', () => {
  it('is read as JSON', () => expect(readSignedJson(Buffer.from('{"a":["ä"]}'))).toEqual({ a: ['ä'] }))

  it('is refused in words where it is none, or no text', () => {
    for (const text of ['', '{', Buffer.from([0x22, 0xff, 0x22])]) expect(refused(text)).toThrow(ServiceError)
  })

  it('is refused where it holds more than any', () => {
    expect(refused(JSON.stringify(Array(20_001).fill(1)))).toThrow('more values than any message')
    expect(refused('[1,2,3]', 3)).toThrow('more values than any message')
    expect(refused(`${'['.repeat(65)}${']'.repeat(65)}`)).toThrow('more values than any message')
  })
})
