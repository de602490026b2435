import type { Config } from '../kernel/config.ts'
import type { Log } from '../platform/log/log.ts'

/** Says when this process does not hear the others any more, by which setting's address, and when it does again. */
export const logWakes =
  (log: Log, { databaseDirectUrl }: Pick<Config, 'databaseDirectUrl'>) =>
  (lost: Error | undefined): void => {
    const at = databaseDirectUrl === undefined ? 'DATABASE_URL' : 'DATABASE_DIRECT_URL'
    if (lost === undefined) log.warn(`other processes are heard again at the address of ${at}`)
    else
      log.warn(
        { err: lost },
        `other processes are not heard at the address of ${at}: streams and jobs come up to seconds later`,
      )
  }
