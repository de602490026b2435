import * as fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { describeDatabase } from '../../../../test/test-support/databases.ts'
import type { MigratableDb } from '../dialect.ts'
import { arrayText } from './postgres.arrays.ts'

describe('the text of an array', () => {
  it('escapes only what Postgres does', () => {
    expect(arrayText(['a', 'b"c\\d', null, 1.5, 'NULL', ''])).toBe('{"a","b\\"c\\\\d",null,1.5,"NULL",""}')
    expect(arrayText(['x\ny\t"\\', null, 2])).toBe('{"x\ny\t\\"\\\\",null,2}')
    expect(arrayText([])).toBe('{}')
  })
})

describeDatabase('postgres', 'arrays', (open) => {
  let db: MigratableDb
  beforeAll(async () => {
    db = await open()
  })

  it('come back as they were given, whatever is in them', async () => {
    // NUL is what Postgres has no text for; half a surrogate pair is no text at all.
    const text = fc.string({ unit: 'binary' }).map((value) => value.toWellFormed().replaceAll('\0', ''))
    const tricky = fc.stringMatching(/^[\\"{}, nNuUlL\n\t\r/']*$/)
    await fc.assert(
      fc.asyncProperty(fc.array(fc.option(fc.oneof(text, tricky))), async (values) => {
        const rows = await db.reader.all<{ value: string | null }>(
          'SELECT value FROM unnest(?::text[]) WITH ORDINALITY AS given (value, place) ORDER BY place',
          [arrayText(values)],
        )
        expect(rows.map(({ value }) => value)).toEqual(values)
      }),
    )
  })

  it('keep numbers exactly', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.double({ noNaN: true, noDefaultInfinity: true })), async (values) => {
        const sql = 'SELECT value FROM unnest(?::double precision[]) WITH ORDINALITY AS g (value, place) ORDER BY place'
        const rows = await db.reader.all<{ value: number }>(sql, [arrayText(values)])
        expect(rows.map(({ value }) => value)).toEqual(values.map((value) => value + 0))
      }),
    )
  })
})
