import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'

const main = resolve(import.meta.dirname, '../../../src/main.ts')

/** What a server says that cannot start with these settings, and how it ends. */
const start = async (settings: Readonly<Record<string, string>>) => {
  const env = { PATH: process.env['PATH'], HOST: '127.0.0.1', PORT: '0', METRICS_PORT: '0', ...settings }
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', main], { env })
  const [said, log, [code]] = await Promise.all([
    text(child.stderr),
    text(child.stdout),
    once(child, 'close') as Promise<[number]>,
  ])
  return { code, said: said.trim(), log }
}

describe('a start that is refused', () => {
  it('names DATA_DIR where that is a file, and where nobody can make a folder', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'integrity-refused-'))
    try {
      await writeFile(join(folder, 'file'), '')
      const file = await start({ DATA_DIR: join(folder, 'file'), LOG_LEVEL: 'fatal' })
      expect([file.code, file.said]).toEqual([1, expect.stringMatching(/^DATA_DIR is .*\/file, .*a file of that name/)])
      const under = await start({ DATA_DIR: join(folder, 'file/below'), LOG_LEVEL: 'fatal' })
      expect(under.said).toMatch(/^DATA_DIR is .*a part of the path is a file/)
      const proc = await start({ DATA_DIR: '/proc/nobody/here', LOG_LEVEL: 'fatal' })
      expect([proc.code, proc.said]).toEqual([1, expect.stringMatching(/^DATA_DIR is \/proc\/nobody\/here/)])
      expect(`${file.said}${under.said}${proc.said}`).not.toContain('    at ')
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  it('names DATABASE_URL without its password where the database is away, and what was misspelt', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'integrity-refused-'))
    try {
      const url = 'postgres://u:secret@127.0.0.1:9/none'
      const { code, said, log } = await start({ DATA_DIR: folder, DATABASE_URL: url, BASEURL: 'https://a.example' })
      expect([code, said]).toEqual([
        1,
        expect.stringMatching(/^The database of DATABASE_URL, postgres:\/\/127.0.0.1:9/),
      ])
      expect(said).not.toMatch(/secret|^ {4}at /m)
      expect(log).toContain('BASEURL is no setting and is passed over: BASE_URL is one')
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})
