import type { Readable } from 'node:stream'

/**
 * The lines of a child's output, without their ends. Throws at a line longer than `maxChars`, so that a child that never
 * ends one cannot fill the memory. What follows the last line end is given too, unless it is empty.
 */
export async function* boundedLines(stream: Readable, maxChars: number): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of stream) {
    const lines = (rest + decoder.decode(chunk as Buffer, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      if (line.length > maxChars) throw new Error(`a line of more than ${maxChars} characters`)
      yield line.replace(/\r$/, '')
    }
    if (rest.length > maxChars) throw new Error(`a line of more than ${maxChars} characters`)
  }
  if (rest !== '') yield rest
}
