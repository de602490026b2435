import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { boundedLines } from './bounded-lines.ts'

const linesOf = async (chunks: (string | Buffer)[], maxChars = 100): Promise<string[]> => {
  const lines: string[] = []
  for await (const line of boundedLines(Readable.from(chunks.map((chunk) => Buffer.from(chunk))), maxChars))
    lines.push(line)
  return lines
}

describe('the lines of a child', () => {
  it('are whole however they arrive, with either line end', async () => {
    const bytes = Buffer.from('Übung\r\nzwei\nlast')
    expect(await linesOf([bytes.subarray(0, 1), bytes.subarray(1)])).toEqual(['Übung', 'zwei', 'last'])
    expect(await linesOf([])).toEqual([])
    expect(await linesOf(['\n'])).toEqual([''])
  })

  it('may not be longer than agreed, ended or not', async () => {
    await expect(linesOf(['ok\n', `${'x'.repeat(101)}\n`])).rejects.toThrow('a line of more than 100 characters')
    const endless = Readable.from(
      (function* () {
        for (;;) yield Buffer.alloc(50, 'x')
      })(),
    )
    await expect(boundedLines(endless, 100).next()).rejects.toThrow('a line of more than 100 characters')
  })
})
