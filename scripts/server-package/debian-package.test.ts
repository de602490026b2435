import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildDebianPackage } from './debian-package.ts'

const root = resolve(import.meta.dirname, '../..')

describe('the Debian package of the server', () => {
  const folder = mkdtempSync(join(tmpdir(), 'integrity-package-'))
  const run = (program: string, ...args: string[]) => execFileSync(program, args, { encoding: 'utf8' })
  let file = ''
  let unpacked = ''
  beforeAll(async () => {
    const payload = join(folder, 'payload')
    mkdirSync(join(payload, 'server/src'), { recursive: true, mode: 0o700 })
    mkdirSync(join(payload, 'node_modules/.bin'), { recursive: true })
    writeFileSync(join(payload, 'server/src/main.ts'), 'console.log(1)\n')
    symlinkSync('../.pnpm/node', join(payload, 'node_modules/.bin/node'))
    const call = { root, payload, staging: join(folder, 'staging'), version: '1.2.3', architecture: 'amd64' } as const
    file = await buildDebianPackage({ ...call, to: join(folder, 'out') })
    unpacked = join(folder, 'unpacked')
    run('dpkg-deb', '-x', file, unpacked)
  })
  afterAll(() => rmSync(folder, { recursive: true }))
  const read = (path: string) => readFileSync(join(unpacked, path), 'utf8')

  it('says what it is and what it needs', () => {
    expect(file).toMatch(/interview-integrity_1\.2\.3_amd64\.deb$/)
    const field = (name: string) => run('dpkg-deb', '--field', file, name).trim()
    expect([field('Package'), field('Version'), field('Architecture')]).toEqual([
      'interview-integrity',
      '1.2.3',
      'amd64',
    ])
    expect(field('Depends')).toMatch(/adduser.*libatomic1/)
    expect(Number(field('Installed-Size'))).toBeGreaterThan(0)
    expect(run('dpkg-deb', '--info', file)).toMatch(/conffiles[\s\S]*postinst[\s\S]*postrm[\s\S]*prerm/)
  })

  it('belongs to root, is readable by all but its settings, and keeps links', () => {
    const lines = run('dpkg-deb', '--contents', file).trim().split('\n')
    for (const line of lines) expect(line).toMatch(/^[dl-][rwx-]{9} root\/root /)
    const modeOf = (path: string) => lines.find((line) => line.includes(` .${path}`))?.slice(0, 10)
    expect(modeOf('/etc/interview-integrity/server.env')).toBe('-rw-r-----')
    expect(modeOf('/usr/lib/interview-integrity/server/src/')).toBe('drwxr-xr-x')
    expect(modeOf('/usr/sbin/interview-integrity-admin')).toBe('-rwxr-xr-x')
    expect(modeOf('/usr/lib/interview-integrity/node_modules/.bin/node -> ../.pnpm/node')).toMatch(/^l/)
    // Nothing of the operator's is in it: no data, no key.
    expect(lines.filter((line) => / \.\/var\//.test(line))).toEqual([])
  })

  it('has scripts that a shell reads, and that remove no evidence', () => {
    const scripts = join(folder, 'scripts')
    run('dpkg-deb', '-e', file, scripts)
    for (const name of ['postinst', 'prerm', 'postrm']) {
      run('sh', '-n', join(scripts, name))
      expect(statSync(join(scripts, name)).mode & 0o777).toBe(0o755)
      expect(readFileSync(join(scripts, name), 'utf8')).not.toMatch(/rm .*\/var\/lib/)
    }
    run('sh', '-n', join(unpacked, 'usr/sbin/interview-integrity-admin'))
    expect(readFileSync(join(scripts, 'conffiles'), 'utf8')).toBe('/etc/interview-integrity/server.env\n')
  })

  it('runs as a user of its own that may write to its data alone', () => {
    const unit = read('lib/systemd/system/interview-integrity.service')
    const setting = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1]
    expect([setting('User'), setting('ProtectSystem'), setting('NoNewPrivileges'), setting('ProtectHome')]).toEqual([
      'interview-integrity',
      'strict',
      'yes',
      'yes',
    ])
    expect([setting('StateDirectory'), setting('StateDirectoryMode'), setting('UMask')]).toEqual([
      'interview-integrity',
      '0700',
      '0077',
    ])
    expect(read('usr/lib/sysusers.d/interview-integrity.conf')).toMatch(/^u interview-integrity /)
    const started = setting('ExecStart') ?? ''
    for (const path of started.split(' ').filter((word) => word.startsWith('/')))
      expect(run('dpkg-deb', '--contents', file)).toContain(` .${path}`)
    const settings = read('etc/interview-integrity/server.env').match(/^#?[A-Z_]+(?==)/gm) ?? []
    const known = readFileSync(join(root, 'docs/operating/settings.md'), 'utf8')
    for (const name of settings) expect(known).toContain(`\`${name.replace('#', '')}\``)
  })
})
