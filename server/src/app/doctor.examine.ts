import type { Config } from '../kernel/config.ts'
import { systemClock } from '../platform/clock.ts'
import { checkAddress } from './doctor.address.check.ts'
import { checkAddresses } from './doctor.addresses.check.ts'
import { checkBackup } from './doctor.backup.check.ts'
import { checkClock } from './doctor.clock.check.ts'
import { checkDatabase } from './doctor.database.check.ts'
import { checkDisk } from './doctor.disk.check.ts'
import type { DiskPlan } from './doctor.disk.model.ts'
import { checkFfmpeg } from './doctor.ffmpeg.check.ts'
import type { Finding } from './doctor.finding.ts'
import { checkFolder } from './doctor.folder.check.ts'
import { checkMail } from './doctor.mail.check.ts'
import { checkProxy } from './doctor.proxy.check.ts'
import { checkSettings, type SettingsCall } from './doctor.settings.check.ts'
import { checkTls } from './doctor.tls.check.ts'

export interface DoctorCall extends SettingsCall {
  readonly plan: DiskPlan
  /** Whom a letter is sent to, to see that it comes. */
  readonly mailTo: string | undefined
}

/** What needs the database, while it is open. */
const withDatabase = async (config: Config, { plan, mailTo: to }: DoctorCall): Promise<readonly Finding[]> => {
  const { db, findings } = await checkDatabase(config)
  try {
    const now = systemClock.now()
    return [
      ...findings,
      ...(db ? await checkAddresses(config) : []),
      ...(db ? [await checkClock(db)] : []),
      ...(await checkMail(config, { db, to, now })),
      await checkDisk(config, plan, db),
    ]
  } finally {
    await db?.close()
  }
}

/** Looks at everything that the service needs around it, one after the other. Changes nothing, and makes nothing. */
export const examine = async (call: DoctorCall): Promise<readonly Finding[]> => {
  const { config, findings } = checkSettings(call)
  if (!config) return findings
  const { answer, finding } = await checkAddress(config)
  return [
    ...findings,
    await checkFolder(config),
    ...(await withDatabase(config, call)),
    finding,
    checkTls(config, answer, systemClock.now()),
    await checkProxy(config),
    await checkFfmpeg(config),
    await checkBackup(config, systemClock.now()),
  ]
}
