import { describe, expect, it } from 'vitest'
import { excerptOf } from './answer.ts'

describe('excerptOf', () => {
  it('leaves out a character that is cut at the end', () => {
    expect(excerptOf([Buffer.from('grün').subarray(0, 3)])).toBe('gr')
  })

  it('joins a character that was split over two chunks', () => {
    const bytes = Buffer.from('grün')
    expect(excerptOf([bytes.subarray(0, 3), bytes.subarray(3)])).toBe('grün')
  })

  it('replaces control characters, marks of direction and bytes that are not text', () => {
    expect(excerptOf([Buffer.from('a\u0000b\u001bc\u202ed\te\n')])).toBe('a\ufffdb\ufffdc\ufffdd\te\n')
    expect(excerptOf([Buffer.from([0x61, 0xff, 0x62])])).toBe('a\ufffdb')
  })
})
