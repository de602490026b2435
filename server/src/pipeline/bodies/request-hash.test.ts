import { expect, it } from 'vitest'
import { jsonHash } from './request-hash.ts'

const hashOf = (text: string) => jsonHash(Buffer.from(text), JSON.parse(text))

it('is that of the JSON, not of how it was written', () => {
  expect(hashOf('{"a":1,"b":{"c":[1,2],"d":"x"}}')).toBe(hashOf('{ "b": {"d":"\\u0078", "c":[1, 2]}, "a": 1.0 }'))
})

it('tells apart what differs, the order of a list too', () => {
  const all = ['{"a":1}', '{"a":"1"}', '{"a":[1,2]}', '{"a":[2,1]}', '{"a":null}', '{}'].map(hashOf)
  expect(new Set(all).size).toBe(all.length)
})

it('is that of the bytes where there are many', () => {
  const long = 'x'.repeat(70_000)
  expect(hashOf(`{"a":"${long}","b":1}`)).not.toBe(hashOf(`{"b":1,"a":"${long}"}`))
  expect(hashOf(`{"a":"${long}"}`)).toBe(hashOf(`{"a":"${long}"}`))
})
