import { describe, expect, it } from 'vitest'
import { macosLines, windowsLines } from '../observers/test-support/recorded-outputs.ts'
import { parseHelperLine } from './helper-lines.ts'

describe('a line of the helper', () => {
  it('is a state of one thing, on macOS and on Windows', () => {
    const parsed = [...macosLines.split('\n'), ...windowsLines.split('\r\n')].filter(Boolean).map(parseHelperLine)
    expect(new Set(parsed.map(({ topic }) => topic))).toEqual(
      new Set(['foreground', 'idle', 'clipboard', 'asleep', 'locked', 'alive', 'processes', 'windows', 'devices']),
    )
    expect(parsed[0]).toEqual({
      topic: 'foreground',
      state: { application: 'Safari', bundleId: 'com.apple.Safari' },
    })
  })

  it('may say what cannot be looked at', () => {
    expect(parseHelperLine('{"topic":"failed","of":"clipboard"}')).toEqual({ topic: 'failed', of: 'clipboard' })
  })

  it.each([
    ['empty', '', 'a line that is not JSON'],
    ['cut short', '{"topic":"foreground","applic', 'a line that is not JSON'],
    ['no object', '17', 'a line about nothing that was asked'],
    ['of another topic', '{"topic":"titles","title":"my secret"}', 'a line about nothing that was asked'],
    ['without its state', '{"topic":"foreground"}', 'a line about foreground that cannot be read'],
    ['with a wrong state', '{"topic":"clipboard","count":"my secret"}', 'a line about clipboard that cannot be read'],
    ['with a huge name', JSON.stringify({ topic: 'foreground', application: 'x'.repeat(301) }), 'cannot be read'],
    ['a failure of nothing', '{"topic":"failed","of":"my secret"}', 'a line about failed that cannot be read'],
  ])('that is %s is refused in words that repeat nothing of it', (_, line, words) => {
    expect(() => parseHelperLine(line)).toThrow(words)
    expect(() => parseHelperLine(line)).not.toThrow('secret')
  })

  it('keeps only what the protocol has: what else a helper sent would go no further', () => {
    const line = '{"topic":"foreground","application":"Safari","content":"my secret"}'
    expect(JSON.stringify(parseHelperLine(line))).not.toContain('secret')
  })
})
