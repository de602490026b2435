import { accessSync, constants, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Ended, runProgram } from './run-program.ts'

/** The Debian package that holds a program. What is not a program (a plug-in, a font) goes by its package's name. */
const packageOf = {
  ffmpeg: 'ffmpeg',
  ffprobe: 'ffmpeg',
  Xvfb: 'xvfb',
  chromium: 'chromium',
  'chromium-headless-shell': 'chromium-headless-shell',
  openbox: 'openbox',
  xprop: 'x11-utils',
  xwininfo: 'x11-utils',
  xrandr: 'x11-xserver-utils',
  xdotool: 'xdotool',
  pulseaudio: 'pulseaudio',
  pactl: 'pulseaudio-utils',
  paplay: 'pulseaudio-utils',
  sox: 'sox',
  arecord: 'alsa-utils',
  flite: 'flite',
  pocketsphinx_continuous: 'pocketsphinx',
  'pocketsphinx-en-us': 'pocketsphinx-en-us',
  age: 'age',
  minisign: 'minisign',
  openssl: 'openssl',
  qpdf: 'qpdf',
  pdftotext: 'poppler-utils',
  pdfinfo: 'poppler-utils',
  curl: 'curl',
  jq: 'jq',
  python3: 'python3',
  'python3-cryptography': 'python3-cryptography',
  go: 'golang-go',
  'swift-proxy-server': 'swift-proxy',
  'swift-account-server': 'swift-account',
  'swift-container-server': 'swift-container',
  'swift-object-server': 'swift-object',
  debootstrap: 'debootstrap',
  'ceph-mon': 'ceph-mon',
  'ceph-osd': 'ceph-osd',
  radosgw: 'radosgw',
  slapd: 'slapd',
  'redis-server': 'redis-server',
  pgbouncer: 'pgbouncer',
  nginx: 'nginx',
  promtool: 'prometheus',
  xmlsec1: 'xmlsec1',
  'python3-pysaml2': 'python3-pysaml2',
  'libsox-fmt-pulse': 'libsox-fmt-pulse',
  'libasound2-plugins': 'libasound2-plugins',
  'fonts-dejavu-core': 'fonts-dejavu-core',
} as const

export type SystemProgram = keyof typeof packageOf

const notPrograms: ReadonlySet<SystemProgram> = new Set([
  'python3-cryptography',
  'python3-pysaml2',
  'libsox-fmt-pulse',
  'libasound2-plugins',
  'fonts-dejavu-core',
  'pocketsphinx-en-us',
])

/** For a run whose path has the word alone: Ceph is a minute and 355 MB to install, and an upgrade on a bare Debian takes minutes. */
export const onlyAskedFor: Readonly<Record<string, readonly SystemProgram[]>> = {
  ceph: ['ceph-mon', 'ceph-osd', 'radosgw'],
  'debian-upgrade': ['debootstrap'],
}
const large = new Set(Object.values(onlyAskedFor).flat())

/** Everything else that the tests drive for real: a display, a browser, sound, video, an independent decryptor, an object
 * store that others wrote, the guide's languages. */
export const testPrograms = (Object.keys(packageOf) as SystemProgram[]).filter((name) => !large.has(name))

/** What the installer asks of the machine; a test answers in its place. */
export interface Machine {
  missing(wanted: readonly SystemProgram[]): Promise<SystemProgram[]>
  canInstall(): boolean
  isDebian(): boolean
  apt(args: string[]): Promise<Pick<Ended, 'code' | 'output'>>
  pause(ms: number): Promise<void>
  say(line: string): void
}

/**
 * Makes sure that programs of the operating system are there: installs what is missing with apt-get when that is possible
 * (root on Debian), otherwise names the command to run. Reports on stderr. Never throws for a failed install.
 * @returns what is still missing; empty when all is there
 */
export const ensurePrograms = async (
  wanted: readonly SystemProgram[],
  machine: Machine = thisMachine,
): Promise<SystemProgram[]> => {
  const missing = await machine.missing(wanted)
  if (missing.length === 0) return []
  const packages = [...new Set(missing.map((name) => packageOf[name]))]
  if (!machine.canInstall()) {
    machine.say(`Missing on this machine: ${missing.join(', ')}. What needs them cannot run.`)
    if (machine.isDebian()) machine.say(`To install them: sudo apt-get install -y ${packages.join(' ')}`)
    else machine.say(`Install them with your system's package manager (Debian's names: ${packages.join(' ')}).`)
    return missing
  }
  machine.say(`Installing from Debian (once): ${packages.join(' ')}`)
  // A mirror's lists that cannot be renewed may still be good enough, so the install is tried all the same.
  await aptWithRetries(['update'], machine)
  await aptWithRetries(['install', '-y', '--no-install-recommends', ...packages], machine)
  const left = await machine.missing(wanted)
  if (left.length > 0) machine.say(`Could not install: ${left.join(', ')}. What needs them cannot run.`)
  return left
}

const attempts = 3
const lockPollMs = 2_000
const lockPatienceMs = 10 * 60_000

/** Waits while another apt is at work, and tries a failing network again. @returns whether it went well in the end */
const aptWithRetries = async (args: string[], machine: Machine): Promise<boolean> => {
  let failures = 0
  let waited = 0
  for (;;) {
    const { code, output } = await machine.apt(args)
    if (code === 0) return true
    if (/Could not get lock|Unable to (?:acquire|lock)/.test(output) && waited < lockPatienceMs) {
      if (waited === 0) machine.say('Another package manager is at work; waiting for it.')
      waited += lockPollMs
      await machine.pause(lockPollMs)
      continue
    }
    failures += 1
    if (failures === attempts) {
      machine.say(`apt-get ${args[0]} failed:\n${output.trim().split('\n').slice(-8).join('\n')}`)
      return false
    }
    await machine.pause(2_000 * failures)
  }
}

export const thisMachine: Machine = {
  async missing(wanted) {
    const installed = await installedPackages(wanted.filter((name) => notPrograms.has(name)))
    return wanted.filter((name) =>
      notPrograms.has(name) ? thisMachine.isDebian() && !installed.has(packageOf[name]) : !isOnPath(name),
    )
  },
  canInstall: () => process.getuid?.() === 0 && thisMachine.isDebian() && isOnPath('apt-get'),
  isDebian() {
    try {
      return /^ID(?:_LIKE)?=.*\bdebian\b/m.test(readFileSync('/etc/os-release', 'utf8'))
    } catch {
      return false
    }
  },
  apt: (args) =>
    runProgram('apt-get', ['-q', '-o', 'DPkg::Lock::Timeout=600', '-o', 'Acquire::Retries=2', ...args], {
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C' },
      output: 'stderr',
    }),
  pause: (ms) => pause(ms),
  say: (line) => console.error(line),
}

const installedPackages = async (names: readonly SystemProgram[]): Promise<Set<string>> => {
  if (names.length === 0 || !isOnPath('dpkg-query')) return new Set()
  // `ii` is installed and configured; a package that was removed keeps a row as well.
  // biome-ignore lint/suspicious/noTemplateCurlyInString: dpkg-query's own placeholders.
  const { output } = await runProgram('dpkg-query', ['-W', '-f', '${db:Status-Abbrev} ${Package}\n', ...names])
  return new Set([...output.matchAll(/^ii +(\S+)$/gm)].map((match) => match[1] ?? ''))
}

const isOnPath = (program: string): boolean => {
  const names = process.platform === 'win32' ? [`${program}.exe`, `${program}.cmd`] : [program]
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '')
  return folders.some((folder) => names.some((name) => isExecutable(join(folder, name))))
}

const isExecutable = (file: string): boolean => {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
