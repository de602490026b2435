import { delimiter } from 'node:path'

// npm hands its whole configuration down as npm_config_*, and a nested pnpm or npm would obey it (`--silent`, `prefix`,
// `json`, a workspace filter). What a network needs must survive: where packages come from, through which proxy, which
// certificates are trusted, and where those settings are written down.
const kept =
  /^(registry|userconfig|globalconfig|cache|(https?[-_])?proxy|no[-_]?proxy|ca|cafile|cert|key|strict[-_]ssl|local[-_]address|fetch[-_].*|@.+:registry|\/\/.+)$/i

/**
 * The environment for the package manager: the caller's, without npm's inherited configuration.
 * @param {NodeJS.ProcessEnv} inherited
 * @returns {NodeJS.ProcessEnv}
 */
export const installEnvironment = (inherited) =>
  Object.fromEntries(
    Object.entries(inherited).filter(([name]) => {
      const setting = /^npm_config_(.+)$/i.exec(name)?.[1]
      return setting === undefined || kept.test(setting)
    }),
  )

/**
 * The environment for a command: as for the package manager, with the tree's own programs first on the PATH.
 * @param {NodeJS.ProcessEnv} inherited
 * @param {string} binFolder
 * @returns {NodeJS.ProcessEnv}
 */
export const commandEnvironment = (inherited, binFolder) => {
  const env = installEnvironment(inherited)
  // Windows spells it `Path`; two spellings at once would leave it to chance which one wins.
  const name = Object.keys(env).find((key) => key.toUpperCase() === 'PATH') ?? 'PATH'
  env[name] = [
    binFolder,
    ...(env[name] ?? '').split(delimiter).filter((part) => part !== '' && part !== binFolder),
  ].join(delimiter)
  return env
}
