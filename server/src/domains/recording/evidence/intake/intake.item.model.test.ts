import { evidenceTypeNames, evidenceTypes } from '@integrity/protocol'
import { describe, expect, it } from 'vitest'
import { checkSize } from './intake.item.model.ts'

describe.each(evidenceTypeNames)('bytes of a %s', (type) => {
  const { maxBytes } = evidenceTypes[type]

  it('are taken up to the ceiling of their type, and not beyond', () => {
    expect(() => checkSize(type, maxBytes)).not.toThrow()
    expect(() => checkSize(type, maxBytes + 1)).toThrow(
      expect.objectContaining({
        status: 413,
        message: `is larger than ${maxBytes} bytes, which is the most of ${type}`,
      }),
    )
    expect(() => checkSize(type, 0)).toThrow(expect.objectContaining({ code: 'invalid_request' }))
  })
})
