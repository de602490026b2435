/**
 * How glibc's `malloc` keeps memory (mallopt(3)). As it comes it has an arena for each thread and keeps the frames of a
 * screen, 8 MiB each, in all of them; so it comes to hold some 90 MiB more than is in use. With these, large pieces go back
 * to the system when they are freed.
 */
const settings: Readonly<Record<string, string>> = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '262144',
  MALLOC_TRIM_THRESHOLD_: '262144',
}

const names = Object.keys(settings)

/**
 * Puts this process in its own place once, with the settings, as they are read only when a program starts: same process
 * number, arguments and streams. To be called before anything else is loaded. Does nothing where whoever started the
 * process has settings of their own, and on systems without glibc's.
 */
export const settleMemory = (): void => {
  if (process.platform !== 'linux') return
  if (names.every((name) => process.env[name] === settings[name])) {
    // They were for this program only, not for those that it starts.
    for (const name of names) delete process.env[name]
    return
  }
  if (names.some((name) => process.env[name] !== undefined)) return
  const { execPath, execArgv, argv, env } = process
  process.execve?.(execPath, [execPath, ...execArgv, ...argv.slice(1)], { ...env, ...settings })
}
