import { randomBytes } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../kernel/config.ts'
import { folderProblem } from './data-folder.ts'
import { type Finding, wordsOf } from './doctor.finding.ts'

const subject = 'folder'

/** Writes and removes a small file: the only thing that tells whether one can. */
export const checkFolder = async ({ dataDir }: Config): Promise<Finding> => {
  const file = join(dataDir, `doctor.${randomBytes(6).toString('hex')}.tmp`)
  try {
    await writeFile(file, 'x', { mode: 0o600 })
    return { subject, state: 'ok', reason: `DATA_DIR ${dataDir} can be written to` }
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT'
    const problem = isMissing ? 'is not there' : `cannot be written to: ${folderProblem(error) ?? wordsOf(error)}`
    return {
      subject,
      state: 'mend',
      reason: `DATA_DIR ${dataDir} ${problem}`,
      todo: isMissing
        ? 'set DATA_DIR to the folder of the service, or start it once'
        : 'give it to the user of the service: chown -R interview-integrity FOLDER; chmod 700 FOLDER',
    }
  } finally {
    await rm(file, { force: true }).catch(() => undefined)
  }
}
