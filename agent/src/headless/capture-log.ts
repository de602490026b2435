import { closeSync, openSync, writeSync } from 'node:fs'
import type { ItemHeader } from '../core/spool/types.ts'

export interface CaptureLog {
  add(header: ItemHeader): void
  close(): void
}

/**
 * Appends each captured item as a JSON line, after it is durable in the spool and before the lane is told: what the
 * file names was captured, so that it can be compared with what the service has.
 */
export const openCaptureLog = (path: string): CaptureLog => {
  const file = openSync(path, 'a', 0o600)
  return {
    add: ({ clientId, kind, sha256, sizeBytes, capturedAt }) => {
      const line = { clientId, kind, sha256, sizeBytes, capturedAt: new Date(capturedAt).toISOString() }
      // One write for each line: a kill leaves no half line but perhaps the last.
      writeSync(file, `${JSON.stringify(line)}\n`)
    },
    close: () => closeSync(file),
  }
}
