import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { verifiedToItsEnd } from './verified-end.ts'

const pieces = async function* () {
  yield Buffer.from('one')
  yield Buffer.from('two')
}
const whole = { sizeBytes: 6, sha256: createHash('sha256').update('onetwo').digest('hex') }

const readAll = async (row: typeof whole, range?: { start?: number; end?: number }): Promise<string> => {
  let text = ''
  try {
    for await (const piece of verifiedToItsEnd(pieces(), row, range)) text += piece.toString()
    return text
  } catch (error) {
    return `${text}, then ${(error as { code?: string }).code}`
  }
}

describe('a read of a whole object', () => {
  it('gives its last piece out when all of them have the hash', async () => {
    expect(await readAll(whole)).toBe('onetwo')
    expect(await readAll(whole, { start: 0, end: 6 })).toBe('onetwo')
  })

  it('of other bytes never comes to its end', async () => {
    expect(await readAll({ ...whole, sha256: '0'.repeat(64) })).toBe('one, then digest_mismatch')
  })

  it('of a part has no hash to be held to', async () => {
    expect(await readAll({ ...whole, sha256: '0'.repeat(64) }, { start: 0, end: 5 })).toBe('onetwo')
  })
})
