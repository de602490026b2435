import { execFile, spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort, opened } from './ports.ts'

const run = promisify(execFile)
/** Debian's programs of OpenStack Swift, whose proxy speaks S3. */
const programs = [
  'swift-proxy-server',
  'swift-account-server',
  'swift-container-server',
  'swift-object-server',
] as const
const kinds = ['account', 'container', 'object'] as const

export const hasSwift = async (): Promise<boolean> => {
  const found = programs.map((program) => run(program, ['--help']))
  return (await Promise.allSettled(found)).every(({ status }) => status === 'fulfilled')
}

export interface Swift {
  readonly endpoint: string
  readonly accessKeyId: 'test:tester'
  readonly secretAccessKey: 'testing'
  stop(): Promise<void>
}

const common = (port: number, dir: string) => `[DEFAULT]
bind_ip = 127.0.0.1
bind_port = ${port}
swift_dir = ${dir}
devices = ${dir}/devices
mount_check = false
workers = 0
user = root
`

const storageConf = (kind: string, port: number, dir: string) => `${common(port, dir)}
[pipeline:main]
pipeline = ${kind}-server
[app:${kind}-server]
use = egg:swift#${kind}
`

const proxyConf = (port: number, dir: string) => {
  const filters = ['catch_errors', 'cache', 'listing_formats', 'bulk', 's3api', 'tempauth', 'copy', 'slo', 'dlo']
  const uses = { cache: 'memcache' } as Record<string, string>
  const sections = filters.map((name) => `[filter:${name}]\nuse = egg:swift#${uses[name] ?? name}\n`)
  return `${common(port, dir)}
[pipeline:main]
pipeline = ${filters.join(' ')} proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
${sections.join('').replace('swift#tempauth\n', 'swift#tempauth\nuser_test_tester = testing .admin\n')}`
}

const buildRing = async (dir: string, kind: string, port: number): Promise<void> => {
  const builder = join(dir, `${kind}.builder`)
  await run('swift-ring-builder', [builder, 'create', '4', '1', '0'])
  await run('swift-ring-builder', [builder, 'add', `r1z1-127.0.0.1:${port}/sdb`, '1'])
  await run('swift-ring-builder', [builder, 'rebalance'])
}

/** A real Swift of one device in a folder of its own, on ports of its own. */
export const startSwift = async (): Promise<Swift> => {
  const dir = await mkdtemp(join(tmpdir(), 'swift-'))
  await mkdir(join(dir, 'devices/sdb'), { recursive: true })
  const started: ReturnType<typeof spawn>[] = []
  const start = async (program: string, conf: string, text: string) => {
    await writeFile(join(dir, conf), text)
    // A high limit of open files keeps it busy for minutes with closing them all.
    const line = `ulimit -n 4096; exec ${program} ${join(dir, conf)}`
    started.push(spawn('sh', ['-c', line], { stdio: 'ignore' }))
  }
  const ports = [await freePort(), await freePort(), await freePort(), await freePort()]
  await Promise.all(kinds.map((kind, n) => buildRing(dir, kind, ports[n] ?? 0)))
  for (const [n, kind] of kinds.entries())
    await start(`swift-${kind}-server`, `${kind}.conf`, storageConf(kind, ports[n] ?? 0, dir))
  const port = ports[3] ?? 0
  await start('swift-proxy-server', 'proxy.conf', proxyConf(port, dir))
  for (const each of ports) await opened(each)
  return {
    endpoint: `http://127.0.0.1:${port}`,
    accessKeyId: 'test:tester',
    secretAccessKey: 'testing',
    stop: async () => {
      await Promise.all(
        started.map((child) => new Promise<void>((resolve) => child.on('exit', () => resolve()).kill('SIGKILL'))),
      )
      await rm(dir, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
