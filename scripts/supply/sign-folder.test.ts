import { execFileSync } from 'node:child_process'
import { appendFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { hasMinisign, lockSecretKey } from '../../server/test/test-support/minisign.ts'
import { signFolder } from './sign-folder.ts'

describe.skipIf(!hasMinisign)('a signed release [needs minisign]', () => {
  let home = ''
  let folder = ''
  const [publicKey, keyFile] = ['release.pub', 'release.key'].map((name) => () => join(home, name)) as [
    () => string,
    () => string,
  ]
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'integrity-sign-'))
    folder = join(home, 'dist')
    await mkdir(join(folder, 'screens'), { recursive: true })
    await writeFile(join(folder, 'server.deb'), 'the server')
    await writeFile(join(folder, 'agent 1.exe'), 'the agent')
    execFileSync('minisign', ['-G', '-W', '-p', publicKey(), '-s', keyFile()])
  })
  afterEach(() => rm(home, { recursive: true }))
  const sign = (password = 'never asked for') =>
    signFolder({ folder, keyFile: keyFile(), password: () => Promise.resolve(password), now: new Date(0) })
  const verify = () =>
    execFileSync('minisign', ['-V', '-p', publicKey(), '-m', join(folder, 'SHA256SUMS')], { stdio: 'pipe' })
  const compare = () => execFileSync('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: folder, stdio: 'pipe' })

  it('is taken by minisign and by sha256sum, and has every file but the folders and itself', async () => {
    lockSecretKey(keyFile(), 'secret')
    await sign('secret')
    const [sums, signature] = await sign('secret')
    expect([sums, signature]).toEqual(['SHA256SUMS', 'SHA256SUMS.minisig'].map((name) => join(folder, name)))
    expect(verify().toString()).toContain('file:SHA256SUMS')
    expect(compare().toString()).toBe('agent 1.exe: OK\nserver.deb: OK\n')
    const lines = (await readFile(join(folder, 'SHA256SUMS'), 'utf8')).split('\n')
    expect(lines).toHaveLength(3)
  })

  it('is refused where a file or the list of sums was changed', async () => {
    await sign()
    await appendFile(join(folder, 'server.deb'), '.')
    expect(compare).toThrow(/server.deb: FAILED|did NOT match/)
    await appendFile(join(folder, 'SHA256SUMS'), '\n')
    expect(verify).toThrow(/Signature verification failed/)
  })

  it('is not made with a wrong password, nor of nothing', async () => {
    lockSecretKey(keyFile(), 'secret')
    await expect(sign('another')).rejects.toThrow()
    await rm(folder, { recursive: true })
    await mkdir(folder)
    await expect(sign('secret')).rejects.toThrow('has no file to sign')
  })
})
