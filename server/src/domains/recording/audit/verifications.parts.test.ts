import { expect, it } from 'vitest'
import type { ChainReport } from '../../../kernel/audit/audit.verify.types.ts'
import { Verifications } from './verifications.parts.ts'

/** Walks that end when they are told to. */
const walks = () => {
  const verifications = new Verifications()
  const ends: ((end: ChainReport | Error) => void)[] = []
  const ask = (orgId = 'org_a') =>
    verifications.run(
      orgId,
      () =>
        new Promise((resolve, reject) => {
          ends.push((end) => (end instanceof Error ? reject(end) : resolve(end)))
        }),
    )
  return { ends, ask }
}
const report = (rows: number): ChainReport => ({
  ok: true,
  rows,
  head: { seq: rows, hash: '' },
  checkpoints: 0,
})

it('who asks while a chain is walked through gets the next walk, which begins after they asked, together', async () => {
  const { ends, ask } = walks()
  const first = ask()
  const others = [ask(), ask(), ask()]
  expect(ends).toHaveLength(1)
  ends[0]?.(report(1))
  expect((await first).rows).toBe(1)
  await Promise.resolve()
  expect(ends).toHaveLength(2)
  const later = ask()
  ends[1]?.(report(2))
  expect((await Promise.all(others)).map(({ rows }) => rows)).toEqual([2, 2, 2])
  await Promise.resolve()
  ends[2]?.(report(3))
  expect((await later).rows).toBe(3)
  void ask()
  expect(ends).toHaveLength(4)
})

it('another organisation waits for nobody, and a walk that fails fails those who wait for it alone', async () => {
  const { ends, ask } = walks()
  const [first, next] = [ask(), ask()]
  void ask('org_b')
  expect(ends).toHaveLength(2)
  ends[0]?.(new Error('the disk is gone'))
  await expect(first).rejects.toThrow('the disk is gone')
  await Promise.resolve()
  ends[2]?.(report(2))
  expect((await next).rows).toBe(2)
})
