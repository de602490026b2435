import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { scopeOf } from './scope.ts'

const root = resolve(import.meta.dirname, '../..')

describe('the scope of a run', () => {
  it('is, without a word, what each day needs: a part of the slow files, a quarter of the requests on Postgres, and small proofs', () => {
    const { paths, env } = scopeOf([], root, {})
    expect(paths).toEqual([])
    const part = (last: number) => expect.stringMatching(new RegExp(`^[0-${last}]$`))
    expect(env).toEqual({
      TEST_EVERYDAY: '1',
      POSTGRES_TURN: part(3),
      SLOW_TURN: expect.stringMatching(/^(\d|1[0-5])$/),
    })
  })

  it('has the quarter that was asked for', () => {
    const asked = { POSTGRES_TURN: '2', SLOW_TURN: '3' }
    expect(scopeOf([], root, asked).env).toMatchObject(asked)
  })

  it('is everything, on both engines and with large proofs, for `--all`', () => {
    const { paths, env } = scopeOf(['--all'], root, {})
    expect(paths).toEqual([])
    expect(env).toEqual({ PROOF: 'large' })
  })

  it('is what a path names, on both engines, kept for the night or not', () => {
    expect(scopeOf(['scripts/new-domain'], root, {})).toEqual({ paths: ['scripts/new-domain'], env: {}, words: '' })
    expect(scopeOf(['agent', '--all'], root, {})).toMatchObject({ paths: ['agent'], env: { PROOF: 'large' } })
  })

  it('has a quarter where there is no history', () => {
    expect(scopeOf([], '/', {}).env).toMatchObject({ POSTGRES_TURN: '0', SLOW_TURN: '0' })
  })
})
