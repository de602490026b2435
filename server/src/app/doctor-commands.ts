import { parseArgs } from 'node:util'
import { type BareCommand, text, wholeNumber } from './admin-command.ts'
import { examine } from './doctor.examine.ts'
import { lineOf } from './doctor.finding.ts'

export const doctorUsage = `  doctor [--interviews-a-day N [--minutes M] [--days D]] [--mail-to ADDRESS]
      Looks at settings, folder, database, master key, clock, mail, disk, address, TLS, proxy, ffmpeg and backup: a line for
      each, with the reason and what to do. Ends with 1 where something must be mended. It changes nothing, and may run while
      the service is down. The disk is held against N interviews a day of M minutes (60), kept for D days (90).`

const number = (name: string, value: string | undefined): number | undefined =>
  value === undefined ? undefined : wholeNumber(name, value, { least: 1, most: 10_000_000 })

const doctor: BareCommand = async ({ env, settings, print }, args) => {
  const options = { 'interviews-a-day': text, minutes: text, days: text, 'mail-to': text } as const
  const { values } = parseArgs({ args, options })
  const findings = await examine({
    env,
    file: settings,
    plan: {
      interviewsADay: number('interviews-a-day', values['interviews-a-day']),
      minutes: number('minutes', values.minutes) ?? 60,
      days: number('days', values.days) ?? 90,
    },
    mailTo: values['mail-to'],
  })
  for (const finding of findings) print(lineOf(finding))
  const wrong = findings.filter(({ state }) => state === 'mend').length
  print(wrong === 0 ? 'Nothing must be mended.' : `${wrong} of ${findings.length} must be mended.`)
  return wrong === 0 ? 0 : 1
}

/** It must work where nothing else does, so it opens what it looks at by itself. */
export const bareDoctorCommands: Readonly<Record<string, BareCommand>> = { doctor }
