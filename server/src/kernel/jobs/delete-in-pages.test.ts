import { expect, it } from 'vitest'
import { deleteInPages } from './delete-in-pages.ts'

it('deletes page after page, each in a transaction of its own, until one is not full', async () => {
  const left = [1000, 1000, 0]
  const transactions: unknown[] = []
  const db = { transact: (work: (tx: object) => unknown) => Promise.resolve(work({ n: transactions.length })) }
  await deleteInPages({ db } as never, (tx, limit) => {
    transactions.push(tx)
    expect(limit).toBe(1000)
    return Promise.resolve(left.shift() ?? Number.NaN)
  })
  expect(transactions).toEqual([{ n: 0 }, { n: 1 }, { n: 2 }])
})
