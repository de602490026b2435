import type { Finding } from './doctor.finding.ts'

/** What is planned; without a number of interviews only what is free is told. */
export interface DiskPlan {
  readonly interviewsADay: number | undefined
  readonly minutes: number
  /** Days that evidence is kept. */
  readonly days: number
}

/** What one interview leaves on the disk, and where that number comes from. */
export interface InterviewSize {
  readonly bytes: number
  readonly words: string
}

/** With clips of screen and camera and with sound, as the demo measures it; stills alone are a tenth of it. */
const bytesAMinute = 4_000_000
/** Rows of one interview, of which most stay when its evidence is erased. See docs/scaling.md. */
const rowsOfInterview = 5_000_000
const fullBelow = 0.1

export const assumedOf = ({ minutes }: DiskPlan): InterviewSize => ({
  bytes: minutes * bytesAMinute,
  words: `each keeps ${minutes} min × 4 MB = ${amount(minutes * bytesAMinute)} (assumed: clips and sound; too few interviews here to measure)`,
})

const amount = (bytes: number): string => {
  if (bytes >= 1e12) return `${(bytes / 1e12).toFixed(1)} TB`
  return bytes >= 1e9 ? `${(bytes / 1e9).toFixed(1)} GB` : `${Math.round(bytes / 1e6)} MB`
}

interface Disk {
  readonly freeBytes: number
  readonly totalBytes: number
  readonly plan: DiskPlan
  readonly size: InterviewSize
  /** Whether the rows are on the same disk, too: a SQLite. */
  readonly holdsDatabase: boolean
}

const subject = 'disk'

const unplanned = ({ freeBytes, totalBytes }: Disk): Finding => {
  const reason = `${amount(freeBytes)} of ${amount(totalBytes)} are free`
  const todo = 'say --interviews-a-day N, and it is compared with what is planned'
  if (freeBytes >= totalBytes * fullBelow) return { subject, state: 'ok', reason: `${reason}; ${todo}` }
  return {
    subject,
    state: 'mend',
    reason: `${reason}, under a tenth`,
    todo: 'make room or a larger disk; docs/operating/storage.md',
  }
}

/** The arithmetic in words: what so many interviews a day leave once the first are erased, against what is free. */
export const diskFinding = (disk: Disk): Finding => {
  const { freeBytes, plan, size, holdsDatabase } = disk
  const { interviewsADay: count, days } = plan
  if (count === undefined) return unplanned(disk)
  const rowsADay = holdsDatabase ? count * rowsOfInterview : 0
  const evidence = count * days * size.bytes
  // The rows of a year: they stay, and a disk is planned for that long at least.
  const needed = evidence + rowsADay * 365
  const sum = `${count} interviews a day × ${days} days × ${amount(size.bytes)} = ${amount(evidence)} of evidence`
  const rows = holdsDatabase ? `, and ${count} × 365 × 5 MB = ${amount(rowsADay * 365)} of rows a year` : ''
  const reason = `${sum}${rows}; ${size.words}; ${amount(freeBytes)} are free`
  if (needed <= freeBytes) return { subject, state: 'ok', reason: `${reason}: enough` }
  const untilErased = Math.floor(freeBytes / (count * size.bytes + rowsADay))
  // From then on as much evidence is erased as comes, and rows alone are more each day.
  const lasts = untilErased <= days ? untilErased : Math.floor((freeBytes - evidence) / rowsADay)
  return {
    subject,
    state: 'mend',
    reason: `${reason}: full after ${lasts} ${lasts === 1 ? 'day' : 'days'}`,
    todo: `${amount(needed - freeBytes)} more, fewer days of retention, or buckets of the organisations; docs/operating/storage.md`,
  }
}
