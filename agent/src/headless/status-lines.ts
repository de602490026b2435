import type { SessionStatus } from '../core/session/agent-session.types.ts'
import type { KeyProtection } from '../core/spool/key-store.ts'

/** What a status line tells. Counts of `captured` are since this process started. */
export interface Status extends Omit<SessionStatus, 'joined' | 'state' | 'later'> {
  readonly captured: Readonly<Record<string, number>>
  readonly keyProtection: KeyProtection
}

const size = (bytes: number): string =>
  bytes >= 1024 ** 2 ? `${(bytes / 1024 ** 2).toFixed(1)} MiB` : `${Math.ceil(bytes / 1024)} KiB`

const counted = (counts: Readonly<Record<string, number>>): string => {
  const parts = Object.entries(counts).map(([kind, count]) => `${count} ${kind}`)
  return parts.length === 0 ? 'nothing yet' : parts.join(', ')
}

/** One line of plain text: where the session stands, each lane, what was captured, what is still to be sent. */
export const statusText = (status: Status): string => {
  const { phase, lanes, remaining, upload, notAsked } = status
  const parts: string[] = [phase]
  if (lanes.length > 0) {
    parts.push(
      `lanes ${lanes.map(({ lane, state, reason }) => `${lane} ${state}${reason ? ` (${reason})` : ''}`).join(', ')}`,
    )
  }
  if (notAsked.length > 0) parts.push(`not asked, not recorded: ${notAsked.join(', ')}`)
  parts.push(`captured ${counted(status.captured)}`)
  parts.push(`to be sent ${remaining.items} items (${size(remaining.bytes)}), ${remaining.events} events`)
  if (remaining.refused > 0) parts.push(`refused by the service ${remaining.refused}`)
  if (upload) parts.push(`network ${upload.state}`)
  if (status.failure) parts.push(status.failure)
  return parts.join(' | ')
}

/** The same as one JSON object, for machines. */
export const statusJson = (status: Status): string => JSON.stringify({ type: 'status', ...status })
