import { statfs } from 'node:fs/promises'
import { sizesAcrossOrgs } from '../domains/recording/evidence/usage.store.ts'
import type { Config } from '../kernel/config.ts'
import type { MigratableDb } from '../platform/db/dialect.ts'
import { assumedOf, type DiskPlan, diskFinding, type InterviewSize } from './doctor.disk.model.ts'
import { type Finding, wordsOf } from './doctor.finding.ts'

/** So many interviews with evidence are a mean that one may go by. */
const enough = 20

const sizeOf = async (db: MigratableDb | undefined, plan: DiskPlan): Promise<InterviewSize> => {
  const found = db && (await sizesAcrossOrgs(db.reader).catch(() => undefined))
  if (!found || found.sessions < enough) return assumedOf(plan)
  return {
    bytes: found.sizeBytes / found.sessions,
    words: `each keeps ${(found.sizeBytes / found.sessions / 1e6).toFixed(1)} MB, the mean of ${found.sessions} interviews here`,
  }
}

/** Room on the disk of DATA_DIR against what is planned. */
export const checkDisk = async (
  { dataDir, databaseUrl }: Config,
  plan: DiskPlan,
  db: MigratableDb | undefined,
): Promise<Finding> => {
  try {
    const found = await statfs(dataDir)
    const room = { freeBytes: found.bavail * found.bsize, totalBytes: found.blocks * found.bsize }
    return diskFinding({ ...room, plan, size: await sizeOf(db, plan), holdsDatabase: databaseUrl === undefined })
  } catch (error) {
    return { subject: 'disk', state: 'mend', reason: `${dataDir}: ${wordsOf(error)}`, todo: 'mend the folder first' }
  }
}
