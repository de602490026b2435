import { wayOf } from '../../core/observers/observer-table.ts'
import { aborted, createSampledObserver, polled, type Source } from '../../core/observers/sampled-observer.ts'
import { type Observability, type Observer, type ObserverPlatform, thisPlatform } from '../../core/observers/types.ts'
import { type Environment, findProgram } from '../../shared/child-process.ts'
import { askCommand } from './ask-command.ts'
import { helperFed } from './helper-fed.ts'
import { isDesktop } from './linux-desktop.ts'
import type { ObserverOptions } from './observer-options.ts'
import type { ShellSignals } from './shell-signals.ts'

/** Whether the screen is locked; null when it is not known. */
export interface LockState {
  locked: boolean | null
}

/** The answer of `loginctl show-session … -p LockedHint --value`: `yes` or `no`. */
export const parseLockedHint = (text: string): boolean | undefined => {
  const answer = text.trim()
  return answer === 'yes' || answer === 'no' ? answer === 'yes' : undefined
}

/**
 * Whether `ioreg -n Root -d1` shows a locked console. Its list of users has `"CGSSessionScreenIsLocked"=Yes` while the
 * screen is locked and nothing otherwise; without that list nothing is known.
 */
export const parseConsoleUsers = (text: string): boolean | undefined => {
  const users = /"IOConsoleUsers" = (\(.*\))/.exec(text)?.[1]
  return users === undefined ? undefined : /"CGSSessionScreenIsLocked"=Yes/.test(users)
}

const notTold = 'Whether the screen is locked cannot be seen: the system does not tell it.'

/** Why logind cannot be asked, or undefined. Other desktops leave its hint at "no", which would be read as "never locked". */
const linuxObstacle = (env: Environment): string | undefined => {
  if (!isDesktop(env, 'GNOME', 'KDE'))
    return 'Whether the screen is locked cannot be seen: this desktop does not tell it.'
  if (!findProgram('loginctl', env)) return notTold
  return undefined
}

const askLock = async (platform: ObserverPlatform, env: Environment): Promise<LockState> => {
  const session = env['XDG_SESSION_ID'] || 'auto'
  const locked =
    platform === 'darwin'
      ? parseConsoleUsers(await askCommand('/usr/sbin/ioreg', ['-n', 'Root', '-d1'], { env }))
      : parseLockedHint(await askCommand('loginctl', ['show-session', session, '-p', 'LockedHint', '--value'], { env }))
  if (locked === undefined) throw new Error('the answer about the lock cannot be read')
  return { locked }
}

const shellTells =
  (shell: ShellSignals): Source<LockState> =>
  async (see, signal) => {
    see({ locked: null })
    const offs = [
      shell.on('lock-screen', () => see({ locked: true })),
      shell.on('unlock-screen', () => see({ locked: false })),
    ]
    await aborted(signal)
    for (const off of offs) off()
  }

/** The screen being locked and unlocked. */
export const createScreenLockObserver = (options: ObserverOptions = {}): Observer => {
  const { env = process.env, clock, helper, platform = thisPlatform() } = options
  // Electron fires these events on macOS and Windows only.
  const shell = platform === 'linux' ? undefined : options.shell
  const way = wayOf('screen_lock', platform, shell !== undefined)
  const absent = (why: string): Observability => ({ status: 'not_observable', why })
  const probe = async (): Promise<Observability> => {
    if (shell) return { status: 'observable' }
    const obstacle = platform === 'linux' ? linuxObstacle(env) : undefined
    if (obstacle !== undefined) return absent(obstacle)
    return askLock(platform, env).then(
      () => ({ status: 'observable' }),
      () => absent(notTold),
    )
  }
  const source: Source<LockState> = async (see, signal) => {
    if (shell) return shellTells(shell)(see, signal)
    return polled(() => askLock(platform, env), options.intervalMs ?? way.intervalMs, clock)(see, signal)
  }
  return createSampledObserver<LockState>({
    name: 'screen_lock',
    version: 2,
    way,
    intervalMs: options.intervalMs,
    clock,
    ...(platform === 'win32' && !shell ? helperFed(helper, 'locked', notTold, (state) => state) : { probe, source }),
    initial: (value) => (value.locked ? [{ kind: 'screen.locked', value }] : []),
    changes: (before, value) => {
      if (value.locked === before.locked || value.locked === null) return []
      // From "not known" to "not locked" nothing was unlocked, unless the shell tells of the very event.
      if (before.locked === null && !value.locked && !shell) return []
      return [{ kind: value.locked ? 'screen.locked' : 'screen.unlocked', value }]
    },
  })
}
