import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

const maxBytes = 1024 ** 2
const longestLine = 2000

/**
 * A log on the candidate's own computer, for whoever helps: two files of at most a mebibyte each. It is never sent.
 * What is told must not hold a token or a candidate's words. A disk that takes no more is no reason to stop.
 */
export const openBoundedLog = (path: string, now: () => number = Date.now): ((line: string) => void) => {
  let size = 0
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    size = statSync(path, { throwIfNoEntry: false })?.size ?? 0
  } catch {
    return () => undefined
  }
  return (line) => {
    const text = `${new Date(now()).toISOString()} ${line.replaceAll(/\s+/g, ' ').slice(0, longestLine)}\n`
    try {
      if (size + text.length > maxBytes) {
        renameSync(path, `${path}.1`)
        size = 0
      }
      appendFileSync(path, text, { mode: 0o600 })
      size += Buffer.byteLength(text)
    } catch {
      // Nothing better is there to say it to.
    }
  }
}
