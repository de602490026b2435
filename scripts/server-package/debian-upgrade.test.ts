import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type BareDebian,
  hasDebootstrap,
  makeBareDebian,
  type Service,
  startService,
} from './bare-debian.test-support.ts'
import { buildDebianPackage } from './debian-package.ts'
import { makePayload } from './payload.ts'

const tree = resolve(import.meta.dirname, '../..')
const name = 'interview-integrity'
const settings = `/etc/${name}/server.env`
const minute = 60_000

/** A port whose next one is free as well: metrics have that. */
const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  await new Promise((done) => server.close(done))
  return port
}

/** Minutes, and a Debian from its mirror: only a run of this very path makes it. */
describe.skipIf(!hasDebootstrap())(
  'an upgrade of the server on a bare Debian [needs debootstrap]',
  { timeout: 10 * minute },
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'integrity-upgrade-'))
    let debian: BareDebian
    let service: Service | undefined
    let port = 0
    let key = ''
    let sessionId = ''

    /** The package of these sources under a version, with another settings file where that is asked for. */
    const build = async (version: string, change: (settings: string) => string): Promise<void> => {
      const payload = join(folder, 'payload')
      const manifest = join(payload, 'server/package.json')
      writeFileSync(manifest, readFileSync(manifest, 'utf8').replace(/"version": "[^"]+"/, `"version": "${version}"`))
      const root = join(folder, `tree-${version}`)
      for (const part of ['server/packaging', 'server/monitoring', 'docs', 'LICENSE', 'CHANGELOG.md'])
        cpSync(join(tree, part), join(root, part), { recursive: true })
      const file = join(root, 'server/packaging/debian/server.env')
      writeFileSync(file, change(readFileSync(file, 'utf8')))
      const architecture = process.arch === 'arm64' ? 'arm64' : 'amd64'
      const made = await buildDebianPackage({
        root,
        payload,
        version,
        architecture,
        staging: join(folder, 'staging'),
        to: join(folder, 'out'),
      })
      cpSync(made, debian.path(`/root/${version}.deb`))
    }

    /** As unattended upgrades do it: who changed a settings file keeps it. */
    const apt = (...words: string[]): string =>
      debian.run([
        'apt-get',
        '-y',
        '-o',
        'Dpkg::Options::=--force-confdef',
        '-o',
        'Dpkg::Options::=--force-confold',
        ...words,
      ])

    const ask = async (path: string, init: RequestInit = {}) => {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
        ...init,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      })
      return { status: answer.status, body: (await answer.json()) as { data: Record<string, unknown> } }
    }

    const start = async (): Promise<void> => {
      const started = startService(debian, name)
      service = started
      while (!(await ask('/v1/health').catch(() => undefined))) {
        if (started.child.exitCode !== null) throw new Error(`the service ended: ${started.output()}`)
        await pause(100)
      }
    }

    const version = async (): Promise<unknown> => (await ask('/v1/health')).body.data['version']

    beforeAll(async () => {
      execFileSync(process.execPath, [join(tree, 'scripts/build-clients.ts'), 'companion'], { stdio: 'inherit' })
      debian = makeBareDebian(join(folder, 'debian'))
      await makePayload(tree, join(folder, 'payload'))
      await build('0.1.0', (text) => text)
      await build('0.2.0', (text) => `${text}#LOG_LEVEL=info\n`)
      port = await freePort()
    }, 15 * minute)
    afterAll(async () => {
      await service?.stop()
      rmSync(folder, { recursive: true, force: true })
    })

    it('installs with what it needs, and runs as its own user', async () => {
      apt('update')
      apt('install', '--no-install-recommends', '/root/0.1.0.deb')
      const text = readFileSync(debian.path(settings), 'utf8')
      writeFileSync(debian.path(settings), text.replace(/^PORT=.*$/m, `PORT=${port}`))
      await start()
      expect(await version()).toBe('0.1.0')
      const uid = Number(debian.run(['id', '-u', name]))
      expect(statSync(`/proc/${service?.child.pid}`).uid).toBe(uid)
      expect(uid).not.toBe(0)
      expect(statSync(debian.path(`/var/lib/${name}/master.key`))).toMatchObject({ uid, mode: 0o100600 })
    })

    it('takes an organisation from the operator, and an interview from its key', async () => {
      const words = ['bootstrap', '--org', 'Example', '--email', 'owner@example.org', '--json']
      const made = debian.run([`/usr/sbin/${name}-admin`, ...words], 'correct horse battery\n')
      key = (JSON.parse(made) as { sandboxKey: string }).sandboxKey
      const { status, body } = await ask('/v1/api/sessions', { method: 'POST', body: '{"externalId":"before"}' })
      expect(status).toBe(201)
      sessionId = String(body.data['id'])
    })

    it('is upgraded beneath its running process, keeps settings that were changed, and lays the new ones beside', async () => {
      const before = readFileSync(debian.path(settings), 'utf8')
      apt('install', '--no-install-recommends', '/root/0.2.0.deb')
      expect(await version()).toBe('0.1.0')
      expect(readFileSync(debian.path(settings), 'utf8')).toBe(before)
      expect(readFileSync(debian.path(`${settings}.dpkg-dist`), 'utf8')).toMatch(/^PORT=8787$[\s\S]*^#LOG_LEVEL=info$/m)
      expect(statSync(debian.path(settings))).toMatchObject({ uid: 0, mode: 0o100640 })
    })

    it('serves what was there as the new version', async () => {
      expect(await service?.stop()).toBe(0)
      await start()
      expect(await version()).toBe('0.2.0')
      const { status, body } = await ask(`/v1/api/sessions/${sessionId}`)
      expect([status, body.data['externalId']]).toEqual([200, 'before'])
      expect((await ask('/v1/health/ready')).status).toBe(200)
    })

    it('is removed without the data and the settings, and purged without the data', async () => {
      await service?.stop()
      const kept = [`/var/lib/${name}/master.key`, `/var/lib/${name}/database.sqlite`]
      const there = (files: string[]) => files.filter((file) => existsSync(debian.path(file)))
      apt('remove', name)
      expect(there([...kept, settings])).toEqual([...kept, settings])
      expect(there([`/usr/lib/${name}`])).toEqual([])
      const said = apt('purge', name)
      expect(said).toContain(`/var/lib/${name} stays, with all evidence and the master key in it.`)
      expect(there([...kept, `/etc/${name}`, `/var/cache/${name}`])).toEqual(kept)
    })
  },
)
