/**
 * What a Node process of a test gets from this one's surroundings: where programs are, and where sources that were
 * compiled once in this run lie (each of the many processes would compile the whole server again).
 */
export const nodeEnv = (): Record<string, string> =>
  Object.fromEntries(
    ['PATH', 'NODE_COMPILE_CACHE'].flatMap((name) => {
      const value = process.env[name]
      return value === undefined ? [] : [[name, value]]
    }),
  )
