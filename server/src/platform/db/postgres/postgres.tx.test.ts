import type pg from 'pg'
import { describe, expect, it } from 'vitest'
import { InsertTexts, postgresInsertText } from '../insert-many.ts'
import { PostgresTexts } from './postgres.text.ts'
import { PostgresTx } from './postgres.tx.ts'

/** A connection that answers when it is told to, and keeps what was sent. */
const scriptedClient = () => {
  const sent: { text: string; answer: (outcome: Error | undefined) => void }[] = []
  const query = (config: string | { text: string }) =>
    new Promise((resolve, reject) => {
      const answer = (error: Error | undefined) => (error ? reject(error) : resolve({ rows: [], rowCount: 0 }))
      sent.push({ text: typeof config === 'string' ? config : config.text, answer })
    })
  return { sent, client: { query } as unknown as pg.ClientBase }
}

const begin = () => {
  const { sent, client } = scriptedClient()
  const tx = new PostgresTx(client, {
    texts: new PostgresTexts(),
    inserts: new InsertTexts(postgresInsertText),
    begin: 'BEGIN',
  })
  tx.begin()
  return { sent, tx, words: () => sent.map(({ text }) => text.split(' ')[0]) }
}

describe('BEGIN', () => {
  it('travels together with the reads that are asked for first', async () => {
    const { tx, sent, words } = begin()
    const reads = Promise.all([tx.get('SELECT 1 AS one FOR UPDATE'), tx.all('select 2 AS two')])
    expect(words()).toEqual(['BEGIN', 'SELECT', 'select'])
    for (const { answer } of sent) answer(undefined)
    await reads
    const write = tx.run('DELETE FROM items')
    expect(words()).toEqual(['BEGIN', 'SELECT', 'select', 'DELETE'])
    sent.at(-1)?.answer(undefined)
    await write
  })

  it('is answered before the first write is sent, and what was asked for after that keeps its place', async () => {
    const { tx, sent, words } = begin()
    const all = Promise.all([tx.get('SELECT 1'), tx.run('DELETE FROM items'), tx.get('SELECT 2')])
    expect(words()).toEqual(['BEGIN', 'SELECT'])
    sent[0]?.answer(undefined)
    await Promise.resolve()
    const last = tx.run('UPDATE items SET n = 1')
    await new Promise((resolve) => setImmediate(resolve))
    expect(sent.slice(2).map(({ text }) => text)).toEqual(['DELETE FROM items', 'SELECT 2', 'UPDATE items SET n = 1'])
    for (const { answer } of sent) answer(undefined)
    await Promise.all([all, last])
  })

  it('takes every write with it when it fails', async () => {
    const { tx, sent, words } = begin()
    const all = Promise.allSettled([tx.get('SELECT 1'), tx.run('DELETE FROM items')])
    sent[0]?.answer(new Error('cancelled'))
    sent[1]?.answer(undefined)
    expect((await all).map((result) => result.status)).toEqual(['fulfilled', 'rejected'])
    await tx.settled()
    expect(tx.failure).toMatchObject({ message: 'cancelled' })
    await expect(tx.run('DELETE FROM items')).rejects.toThrow('has failed')
    expect(words()).toEqual(['BEGIN', 'SELECT'])
  })
})
