/** A program that reads what strangers sent or wrote gets none of the server's settings, which hold secrets. */
export const childEnvironment = (more: readonly string[] = []): NodeJS.ProcessEnv => {
  const kept = ['PATH', 'LD_LIBRARY_PATH', 'SystemRoot', 'TEMP', ...more]
  const entries = kept.map((name) => [name, process.env[name]] as const).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries)
}

/** One that runs on Node: what the server keeps of compiled code spares it compiling, and the memory which that takes. */
export const nodeEnvironment = (more: readonly string[] = []): NodeJS.ProcessEnv =>
  childEnvironment(['NODE_COMPILE_CACHE', ...more])
