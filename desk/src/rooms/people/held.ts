/** A placing or a releasing, as the audit trail has it. */
interface Entry {
  readonly seq: number
  readonly action: string
  /** Null where it was of the whole organisation. */
  readonly sessionId: string | null
}

/** Of these entries, the latest of each interview that is held still; newest first. */
export const heldIn = <E extends Entry>(entries: readonly E[]): E[] => {
  const latest = new Map<string, E>()
  for (const entry of entries) {
    const { sessionId, seq } = entry
    if (sessionId !== null && (latest.get(sessionId)?.seq ?? -1) < seq) latest.set(sessionId, entry)
  }
  return [...latest.values()].filter(({ action }) => action === 'legal_hold.placed').sort((a, b) => b.seq - a.seq)
}
