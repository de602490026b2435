import { mallocSettings as settings } from '../platform/malloc-settings.ts'

/**
 * How glibc's `malloc` keeps memory (mallopt(3)): as it comes it has an arena for each thread of the pool, and each keeps the
 * largest bodies that it ever held. Imported first by the program: it puts the process in its own place once, with the settings,
 * as they are read only when a program starts; same process number, arguments and streams. It does nothing where whoever
 * started the process has settings of their own, and on systems without glibc's.
 */
const names = Object.keys(settings)

if (process.platform === 'linux') {
  // They are for this program only, not for those that it starts.
  if (names.every((name) => process.env[name] === settings[name])) for (const name of names) delete process.env[name]
  else if (names.every((name) => process.env[name] === undefined)) {
    const { execPath, execArgv, argv, env } = process
    process.execve?.(execPath, [execPath, ...execArgv, ...argv.slice(1)], { ...env, ...settings })
  }
}
