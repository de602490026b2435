import { open, readFile } from 'node:fs/promises'

/** One erased session. Ids only: whoever reads the list learns nothing of anybody. */
export interface Erasure {
  /** When it was erased, ISO 8601 in UTC. */
  readonly at: string
  readonly orgId: string
  readonly sessionId: string
}

/**
 * Adds a line to the list of erasures, on the disk when this resolves. The list is kept apart from the backups: it is what a
 * restored backup has to be told. A line may come twice.
 */
export const appendErasure = async (path: string, { at, orgId, sessionId }: Erasure): Promise<void> => {
  const file = await open(path, 'a', 0o600)
  try {
    // On a line of its own, also behind one that a kill has cut off.
    await file.writeFile(`\n${JSON.stringify({ at, orgId, sessionId })}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
}

const isErasure = (value: unknown): value is Erasure => {
  const { at, orgId, sessionId } = (value ?? {}) as Partial<Record<keyof Erasure, unknown>>
  return typeof at === 'string' && typeof orgId === 'string' && typeof sessionId === 'string'
}

/** Written by an appender that was killed; its job writes the line again. */
const isCutOff = (line: string): boolean => line.startsWith('{') && !line.endsWith('}')

/** Reads such a list. Throws with the number of the first line that is none, but for those that were cut off. */
export const readErasures = async (path: string): Promise<Erasure[]> => {
  const lines = (await readFile(path, 'utf8')).split('\n')
  const found: Erasure[] = []
  for (const [n, line] of lines.entries()) {
    if (line === '') continue
    let value: unknown
    try {
      value = JSON.parse(line)
    } catch {
      if (isCutOff(line)) continue
    }
    if (!isErasure(value)) throw new Error(`line ${n + 1} is no erasure ({"at":…,"orgId":…,"sessionId":…})`)
    found.push(value)
  }
  return found
}
