import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, copyFileSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Root's `debootstrap` makes it; only a run whose path speaks of it installs that. */
export const hasDebootstrap = (): boolean =>
  process.getuid?.() === 0 && spawnSync('debootstrap', ['--version']).status === 0

const suite = (): string => /^VERSION_CODENAME=(\w+)$/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1] ?? 'stable'

const plain = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C', DEBIAN_FRONTEND: 'noninteractive' }
const proxies = Object.fromEntries(Object.entries(process.env).filter(([name]) => /^(?:https?|no)_proxy$/i.test(name)))

/** A program in there, with the machine's network and a `/proc` that ends with it. Nothing stands between it and its signals. */
const inside = (root: string, words: readonly string[], userspec = 'root:root'): [string, string[]] => {
  const enter = `mount -t proc proc '${root}/proc' && exec chroot '--userspec=${userspec}' '${root}' "$@"`
  return ['unshare', ['--mount', 'sh', '-c', enter, 'sh', ...words]]
}

/** A Debian in a folder, with what every one has and nothing else. */
export interface BareDebian {
  readonly root: string
  /** Gathers what it says; throws with it where it fails. */
  run(words: readonly string[], input?: string): string
  readonly path: (inside: string) => string
}

export const makeBareDebian = (root: string): BareDebian => {
  mkdirSync(root, { recursive: true })
  // Its services are other users, who walk through this folder.
  chmodSync(root, 0o755)
  execFileSync('debootstrap', ['--variant=minbase', suite(), root], { stdio: ['ignore', 'ignore', 'pipe'] })
  copyFileSync('/etc/resolv.conf', join(root, 'etc/resolv.conf'))
  const run = (words: readonly string[], input = ''): string => {
    const { status, stdout, stderr } = spawnSync(...inside(root, words), {
      encoding: 'utf8',
      input,
      env: { ...proxies, ...plain },
      cwd: '/',
    })
    if (status !== 0) throw new Error(`${words.join(' ')}: ${status}\n${stdout}\n${stderr}`)
    return stdout
  }
  return { root, run, path: (file) => join(root, file) }
}

const settingsOf = (text: string): Record<string, string> =>
  Object.fromEntries([...text.matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name, value]) => [name, value]))

export interface Service {
  readonly child: ChildProcess
  readonly output: () => string
  stop(): Promise<number | null>
}

/** What the unit says, done by hand: there is no systemd in a chroot, and so nothing of what it locks away is tried. */
export const startService = (debian: BareDebian, name: string): Service => {
  const unit = readFileSync(debian.path(`lib/systemd/system/${name}.service`), 'utf8')
  const all = (key: string): string[] =>
    [...unit.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, value]) => value!)
  const one = (key: string): string => all(key)[0] ?? ''
  const files = all('EnvironmentFile').map((file) => readFileSync(debian.path(file), 'utf8'))
  const env = {
    ...settingsOf(
      all('Environment')
        .flatMap((line) => line.split(' '))
        .join('\n'),
    ),
    ...settingsOf(files.join('\n')),
  }
  const user = one('User')
  for (const folder of [`/var/lib/${one('StateDirectory')}`, `/var/cache/${one('CacheDirectory')}`])
    debian.run(['install', '-d', '-m', one('StateDirectoryMode'), '-o', user, '-g', user, folder])
  const start = `umask ${one('UMask')}; cd ${one('WorkingDirectory')} && exec ${one('ExecStart')}`
  const child = spawn(...inside(debian.root, ['/bin/sh', '-c', start], `${user}:${one('Group')}`), {
    env: { PATH: plain.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()))
  return {
    child,
    output: () => said,
    stop: async () => {
      if (child.exitCode !== null) return child.exitCode
      child.kill('SIGTERM')
      await once(child, 'exit')
      return child.exitCode
    },
  }
}
