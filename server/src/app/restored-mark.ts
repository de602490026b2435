import { readFile, rm } from 'node:fs/promises'
import { adminName } from '../kernel/admin-name.ts'
import { restoredMark } from './backup/backup.format.ts'
import { ConfigError } from './config.ts'

/** When the backup was made that this was restored from; undefined where nothing was restored or all was said. */
const restoredFrom = async (dataDir: string): Promise<string | undefined> => {
  try {
    return (await readFile(restoredMark(dataDir), 'utf8')).trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** A restored service does not serve what was erased: it waits until it was told. */
export const refuseUntold = async (dataDir: string): Promise<void> => {
  const madeAt = await restoredFrom(dataDir)
  if (madeAt === undefined) return
  throw new ConfigError(
    `This was restored from a backup of ${madeAt} and does not serve before it knows what was erased since. Say one of:\n` +
      `  ${adminName} erase --from-log FILE      erases again what the list says (erasures.jsonl of the service that was)\n` +
      `  ${adminName} erase --nothing-since      nothing was erased since ${madeAt}`,
  )
}

export const forgetRestored = (dataDir: string): Promise<void> => rm(restoredMark(dataDir), { force: true })
