import { join } from 'node:path'
import type { Config } from '../kernel/config.ts'
import { givenUpAcrossOrgs } from '../kernel/jobs/jobs.store.ts'
import type { MigratableDb } from '../platform/db/dialect.ts'
import { createMail, greetMailServer } from '../platform/mail/mail.ts'
import { type Finding, wordsOf } from './doctor.finding.ts'

const subject = 'mail'
const weekMs = 7 * 86_400_000

const asFiles = ({ dataDir, production }: Config): Finding => ({
  subject,
  state: production ? 'mend' : 'note',
  reason: `SMTP_URL is not set: letters are kept as files in ${join(dataDir, 'outbox')}, and nobody gets them`,
  todo: 'set SMTP_URL=smtps://user:password@host, MAIL_FROM to an address of that host',
})

/** Signs in at the mail server, and sends one letter where an address was named. */
const able = async (config: Config, smtpUrl: string, to: string | undefined): Promise<Finding> => {
  const { host } = new URL(smtpUrl)
  try {
    await greetMailServer(smtpUrl)
    if (to === undefined)
      return { subject, state: 'ok', reason: `${host} lets this service in; a letter is sent with --mail-to ADDRESS` }
    const mail = createMail({ smtpUrl, outboxDir: '', from: config.mailFrom })
    const letter = {
      id: `doctor-${Date.now()}`,
      to: [to],
      subject: 'Interview integrity: a test',
      text: 'Letters arrive.\n',
    }
    await mail.send(letter).finally(() => mail.close())
    return {
      subject,
      state: 'ok',
      reason: `${host} has taken a letter from ${config.mailFrom} to ${to}; see that it came`,
    }
  } catch (error) {
    return {
      subject,
      state: 'mend',
      reason: `${host} takes no letter from ${config.mailFrom}: ${wordsOf(error)}`,
      todo: 'look at SMTP_URL and MAIL_FROM, and whether this machine may open that port',
    }
  }
}

/** Whether letters leave; with a database also whether any was given up in the last week. */
export const checkMail = async (
  config: Config,
  { db, to, now }: { readonly db: MigratableDb | undefined; readonly to: string | undefined; readonly now: number },
): Promise<readonly Finding[]> => {
  const first = config.smtpUrl === undefined ? asFiles(config) : await able(config, config.smtpUrl, to)
  const lost = db ? await givenUpAcrossOrgs(db.reader, now - weekMs).catch(() => []) : []
  if (lost.length === 0) return [first]
  const counted = lost.map(({ kind, jobs }) => `${jobs} of ${kind}`).join(', ')
  return [
    first,
    {
      subject: 'jobs',
      state: 'note',
      reason: `given up in the last seven days: ${counted}`,
      todo: "the log says why: journalctl -u interview-integrity | grep 'a job failed'",
    },
  ]
}
