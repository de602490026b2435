// Run by tests as another process: writes rows to a SQLite file and names each on stdout once its commit was answered.
// Arguments: file, prefix, number of rounds (0 = until killed), transactions asked for at once in a round.
import { writeSync } from 'node:fs'
import { openSqlite } from './sqlite.db.ts'

const [file = '', prefix = '', rounds = '0', width = '1'] = process.argv.slice(2)
const db = openSqlite({ file })

/** All of it, however full the pipe is: a line cut short would name another row. */
const tell = (line: string): void => {
  for (let left = Buffer.from(line); left.length > 0; ) {
    try {
      left = left.subarray(writeSync(1, left))
    } catch (error) {
      if ((error as { code?: string }).code !== 'EAGAIN') throw error
    }
  }
}

for (let round = 0; rounds === '0' || round < Number(rounds); round += 1) {
  await Promise.all(
    Array.from({ length: Number(width) }, async (_, member) => {
      const id = `${prefix}-${round}-${member}`
      await db.transact((tx) => tx.run('INSERT INTO items (id) VALUES (?)', [id]))
      tell(`${id}\n`)
    }),
  )
}
await db.close()
