import type { Reads } from '../../../../kernel/call.ts'
import { listMatching } from '../evidence.store.ts'
import type { EvidenceRow, Item } from '../evidence.types.ts'

type Named = Pick<Item, 'evidenceType' | 'clientId' | 'sha256'>

/** By which a sender's item is known again. */
export const clientKey = ({ evidenceType, clientId }: Named): string => `${evidenceType} ${clientId}`
/** By which its bytes are. */
export const bytesKey = ({ evidenceType, sha256 }: Named): string => `${evidenceType} ${sha256}`

/** What a session holds of some items. */
export interface Known {
  /** Rows under the same clientId, tombstones too, by `clientKey`. */
  readonly items: ReadonlyMap<string, EvidenceRow>
  /** Rows with the same bytes that are there, by `bytesKey`. */
  readonly bytes: ReadonlyMap<string, EvidenceRow>
}

/** Asked once for all of them. */
export const knownAmong = async (
  { reader, scope }: Reads,
  { sessionId, items }: { readonly sessionId: string; readonly items: readonly Named[] },
): Promise<Known> => {
  const known = { items: new Map<string, EvidenceRow>(), bytes: new Map<string, EvidenceRow>() }
  for (const evidenceType of new Set(items.map((item) => item.evidenceType))) {
    const place = { sessionId, evidenceType }
    const ofType = items.filter((item) => item.evidenceType === evidenceType)
    const clientIds = [...new Set(ofType.map(({ clientId }) => clientId))]
    const hashes = [...new Set(ofType.map(({ sha256 }) => sha256))]
    for (const row of await listMatching(reader, scope, place, 'client_id', clientIds))
      known.items.set(clientKey(row), row)
    for (const row of await listMatching(reader, scope, place, 'sha256', hashes)) known.bytes.set(bytesKey(row), row)
  }
  return known
}
