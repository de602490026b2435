import { execFileSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { createClient } from '@integrity/client/every-endpoint'
import { beforeEach, describe, expect, it } from 'vitest'
import { runAdmin } from '../../../src/app/admin-program.ts'
import { hasMinisign, lockSecretKey } from '../../test-support/minisign.ts'
import { useProcesses } from '../../test-support/processes.ts'

const { start, at } = useProcesses()

/** As an operator makes one; the public key as it goes into the settings. */
const newKey = (name: string): string => {
  execFileSync('minisign', ['-G', '-W', '-p', at(`${name}.pub`), '-s', at(`${name}.key`)], { stdio: 'pipe' })
  return readFileSync(at(`${name}.pub`), 'utf8').split('\n')[1] ?? ''
}

/** The program in this process: what it says and does is its own, what starts it is two lines (`app/admin.ts`). */
const admin = async (args: readonly string[], env: Record<string, string>) => {
  let [output, stdout] = ['', '']
  const surroundings = {
    env: { DATA_DIR: at('.'), ...env },
    stdout: {
      write: (text: string) => {
        output += text
        stdout += text
      },
    },
    stderr: {
      write: (text: string) => {
        output += text
      },
    },
  }
  return { code: await runAdmin([...args], surroundings), output, stdout }
}

/** Debian's own program checks the two texts as files. */
const minisignVerify = ({ document, signature }: { document: string; signature: string }, publicKey: string) => {
  writeFileSync(at('document'), document)
  writeFileSync(at('document.minisig'), signature)
  const args = ['-V', '-P', publicKey, '-m', at('document'), '-x', at('document.minisig')]
  return execFileSync('minisign', args, { stdio: 'pipe' }).toString()
}

interface Manifest {
  sequence: number
  minimumVersion: string
  latest: { version: string }
  builds: {
    version: string
    platform: string
    arch: string
    url: string
    sizeBytes: number
    sha512: string
    notes?: string
  }[]
}

describe.skipIf(!hasMinisign)('admin -- release', () => {
  let publicKey = ''
  let env: Record<string, string> = {}
  let bytes: Buffer

  beforeEach(async () => {
    publicKey = newKey('release')
    env = { RELEASE_PUBLIC_KEYS: publicKey }
    // Only this and a first start make a database.
    const first = await admin(
      ['bootstrap', '--org', 'One', '--email', 'one@example.org', '--password', 'correct horse battery'],
      env,
    )
    expect(first.code, first.output).toBe(0)
    bytes = randomBytes(100_000)
    writeFileSync(at('agent, 1.AppImage'), bytes)
    writeFileSync(at('agent.exe'), randomBytes(1000))
  })

  const linux = () => `linux,x64,https://downloads.example.org/agent.AppImage,${at('agent, 1.AppImage')}`
  const windows = () => `win32,x64,https://downloads.example.org/agent.exe,${at('agent.exe')}`
  const app = ['--app', 'desktop_agent']
  const keyed = () => ['--key', at('release.key')]
  const publish = (...args: string[]) => admin(['release', 'publish', ...app, ...args], env)

  it('publishes a signed manifest while the server runs, which minisign itself accepts', async () => {
    const { url } = await start(env)
    const api = createClient({ baseUrl: url })
    const made = await publish(
      ...['--version', '1.2.3', '--minimum', '1.0.0', '--notes', 'Better.'],
      ...['--build', linux(), '--build', windows(), ...keyed(), '--json'],
    )
    expect(made.code, made.output).toBe(0)
    expect(JSON.parse(made.stdout)).toMatchObject({ series: 'update_manifest:desktop_agent:stable', sequence: 1 })
    expect(made.output).toContain('a signed document was published')
    const { data } = await api.call('updates.manifest', { query: { app: 'desktop_agent' } })
    expect(minisignVerify(data, publicKey)).toContain('Signature and comment signature verified')
    const manifest = JSON.parse(data.document) as Manifest
    expect(manifest).toMatchObject({ sequence: 1, minimumVersion: '1.0.0', latest: { version: '1.2.3' } })
    const sha512 = createHash('sha512').update(bytes).digest('hex')
    expect(manifest.builds).toMatchObject([
      { version: '1.2.3', platform: 'linux', arch: 'x64', sizeBytes: 100_000, sha512, notes: 'Better.' },
      { platform: 'win32', url: 'https://downloads.example.org/agent.exe', sizeBytes: 1000 },
    ])
  })

  it('keeps the recent builds with the next release, renews without one, and withdraws a version', async () => {
    const read = async () => JSON.parse((await admin(['release', 'list', '--json'], env)).stdout) as Manifest[]
    const versions = async () => (await read())[0]?.builds.map(({ version }) => version)
    await publish('--version', '1.9.0', '--minimum', '1.0.0', '--build', linux(), ...keyed())
    await publish('--version', '1.10.0', '--build', linux(), ...keyed())
    expect(await versions()).toEqual(['1.10.0', '1.9.0'])
    const renewed = await publish('--minimum', '1.9.0', '--expires-days', '7', ...keyed())
    expect(renewed.output).toContain('update_manifest:desktop_agent:stable: 3 is in force until')
    expect(await read()).toMatchObject([{ sequence: 3, minimumVersion: '1.9.0', latest: { version: '1.10.0' } }])
    expect((await publish('--withdraw', '1.10.0', ...keyed())).code).toBe(0)
    expect(await read()).toMatchObject([{ sequence: 4, latest: { version: '1.9.0' } }])
    expect(await versions()).toEqual(['1.9.0'])
    expect((await admin(['release', 'list'], env)).stdout).toMatch(/stable {2}4 {2}latest 1\.9\.0, minimum 1\.9\.0/)
  }, 120_000)

  it('takes a manifest that was signed on another machine, and no other', async () => {
    const printed = await admin(
      ['release', 'print', ...app, '--version', '1.2.3', '--minimum', '1.0.0', '--build', linux()],
      env,
    )
    writeFileSync(at('manifest.json'), printed.stdout)
    execFileSync('minisign', ['-S', '-s', at('release.key'), '-m', at('manifest.json')], { stdio: 'pipe' })
    const offline = ['--document', at('manifest.json'), '--signature', at('manifest.json.minisig')]
    const taken = await admin(['release', 'publish', ...offline], env)
    expect(taken.code, taken.output).toBe(0)
    const again = await admin(['release', 'publish', ...offline], env)
    expect([again.code, again.output]).toEqual([1, expect.stringContaining('is not larger than the one in force')])
    writeFileSync(at('manifest.json'), printed.stdout.replace('"1.0.0"', '"1.0.1"'))
    const changed = await admin(['release', 'publish', ...offline], env)
    expect(changed.output).toContain('the signature belongs to another document')
  }, 120_000)

  it('opens a key with its password from the environment, and says when it is wrong or missing', async () => {
    env = { RELEASE_PUBLIC_KEYS: newKey('locked') }
    lockSecretKey(at('locked.key'), 'open sesame')
    const args = ['--version', '1.0.0', '--minimum', '1.0.0', '--build', linux(), '--key', at('locked.key')]
    const missing = await publish(...args)
    expect([missing.code, missing.output]).toEqual([1, expect.stringContaining('set MINISIGN_PASSWORD')])
    env = { ...env, MINISIGN_PASSWORD: 'open sesamE' }
    const wrong = await publish(...args)
    expect([wrong.code, wrong.output]).toEqual([1, expect.stringContaining('the password of this secret key is wrong')])
    expect(wrong.output).not.toContain('sesam')
    env = { ...env, MINISIGN_PASSWORD: 'open sesame' }
    const right = await publish(...args)
    expect(right.code, right.output).toBe(0)
  }, 120_000)

  it('refuses in words: no trusted key, a key that is not trusted, what is missing, and what cannot be read', async () => {
    newKey('other')
    const good = ['--version', '1.0.0', '--minimum', '1.0.0', '--build', linux()]
    const cases: [readonly string[], string, Record<string, string>?][] = [
      [[...good, ...keyed()], 'set RELEASE_PUBLIC_KEYS', {}],
      [[...good, '--key', at('other.key')], 'which is not among RELEASE_PUBLIC_KEYS'],
      [good, 'missing: --key'],
      [['--version', '1.0.0', '--build', linux(), ...keyed()], 'missing: --minimum'],
      [['--minimum', '1.0.0', ...keyed()], 'missing: --version'],
      [['--version', '1', '--minimum', '1.0.0', '--build', linux(), ...keyed()], '--version must be a version'],
      [['--version', '1.0.0', '--minimum', '1.0.0', '--build', 'linux,x64', ...keyed()], '--build must be PLATFORM'],
      [
        ['--version', '1.0.0', '--minimum', '1.0.0', '--build', linux().replace('linux', 'beos'), ...keyed()],
        'PLATFORM',
      ],
      [['--version', '1.0.0', '--minimum', '1.0.0', '--build', `${linux()}x`, ...keyed()], 'cannot read'],
      [['--version', '1.0.0', '--minimum', '1.0.0', '--build', linux().replace('https', 'ftp'), ...keyed()], 'url'],
      [[...good, '--key', at('release.pub')], 'not a minisign secret key file'],
      [[...good, ...keyed(), '--expires-days', '0'], '--expires-days'],
      [['--document', at('agent.exe')], 'missing: --signature'],
      [[...good, '--channel', 'nightly', ...keyed()], '--channel must be one of stable, beta'],
    ]
    for (const [args, words, other] of cases) {
      const refused = await admin(['release', 'publish', ...app, ...args], other ?? env)
      expect([refused.code, refused.output]).toEqual([1, expect.stringContaining(words)])
      expect(refused.output).not.toContain('    at ')
    }
    expect((await admin(['release', 'list'], env)).stdout).toBe('nothing was published yet\n')
  }, 120_000)
})

describe.skipIf(!hasMinisign)('admin -- security-policy', () => {
  const pin = `${'A'.repeat(43)}=`

  it('publishes the policy, keeps its pins, lifts pinning, and shows what is in force', async () => {
    const publicKey = newKey('release')
    const env = { RELEASE_PUBLIC_KEYS: publicKey }
    const policy = (verb: string, ...args: string[]) => admin(['security-policy', verb, ...args], env)
    const key = ['--key', at('release.key')]
    const { url } = await start(env)
    expect((await policy('show')).stdout).toBe('no security policy was published yet\n')
    const pins = ['--pin', `Service.example.org=${pin}`, '--pin', `service.example.org=${'B'.repeat(43)}=`]
    const on = await policy('publish', '--pinning', 'on', ...pins, ...key, '--json')
    expect(on.code, on.output).toBe(0)
    const off = await policy('publish', '--pinning', 'off', '--reason', 'renewed in a hurry', ...key)
    expect(off.code, off.output).toBe(0)
    const { data } = await createClient({ baseUrl: url }).call('updates.securityPolicy')
    expect(minisignVerify(data, publicKey)).toContain('verified')
    const shown = JSON.parse((await policy('show', '--json')).stdout) as Record<string, unknown>
    expect(shown).toEqual({ keyId: data.keyId, ...(JSON.parse(data.document) as object) })
    expect(shown).toMatchObject({
      sequence: 2,
      reason: 'renewed in a hurry',
      pinning: { enforced: false, pins: [{ host: 'service.example.org', spkiSha256: [pin, `${'B'.repeat(43)}=`] }] },
    })
    for (const [args, words] of [
      [['--pinning', 'maybe'], '--pinning must be one of on, off'],
      [['--pinning', 'on', '--pin', 'host'], '--pin must be HOST=BASE64'],
      [['--pinning', 'on', '--pin', 'host=short'], 'must be the base64 of 32 bytes'],
    ] as const) {
      const refused = await policy('publish', ...args, ...key)
      expect([refused.code, refused.output]).toEqual([1, expect.stringContaining(words)])
    }
  }, 120_000)
})
