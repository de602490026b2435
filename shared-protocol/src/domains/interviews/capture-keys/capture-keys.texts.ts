/** What a machine signs. Each is UTF-8, a line for each value, every line ended by a line break; see docs/proof.md. */
const lines = (...values: readonly (string | number)[]): string => values.map((value) => `${value}\n`).join('')

/** Before the first item of a chain. */
export const noItemHash = '0'.repeat(64)

export interface SignedItem {
  readonly sessionId: string
  readonly sequence: number
  /** SHA-256 of the text of the item before, hex. */
  readonly previous: string
  readonly evidenceType: string
  /** Of the plain bytes, hex. */
  readonly sha256: string
  /** Whole epoch milliseconds. */
  readonly capturedAt: number
  /** Whole milliseconds; null where none is sent, as for stills. */
  readonly durationMs: number | null
}

export const captureItemText = (item: SignedItem): string =>
  lines(
    'capture-item/1',
    item.sessionId,
    item.sequence,
    item.previous,
    item.evidenceType,
    item.sha256,
    item.capturedAt,
    item.durationMs ?? '-',
  )

export const captureKeyText = (said: { sessionId: string; key: string; documentHash: string }): string =>
  lines('capture-key/1', said.sessionId, said.key, said.documentHash)

export const captureEndText = (said: { sessionId: string; key: string; items: number; last: string }): string =>
  lines('capture-end/1', said.sessionId, said.key, said.items, said.last)
