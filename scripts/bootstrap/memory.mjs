/**
 * How glibc's `malloc` keeps memory (mallopt(3)), read only when a program starts. By default each thread has an arena of
 * its own and keeps the largest pieces that it ever held: 290 MiB of an agent that records, 160 to 200 MiB with these. Whoever
 * starts a long-lived program sets them: `npm start`, `npm run agent`, the Debian unit, the Dockerfile.
 */
export const memorySettings = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '262144',
  MALLOC_TRIM_THRESHOLD_: '262144',
}

/**
 * The environment with these settings, unless the caller has any of its own.
 * @param {NodeJS.ProcessEnv} env
 * @returns {NodeJS.ProcessEnv}
 */
export const withMemorySettings = (env) =>
  Object.keys(memorySettings).some((name) => env[name] !== undefined) ? env : { ...env, ...memorySettings }
