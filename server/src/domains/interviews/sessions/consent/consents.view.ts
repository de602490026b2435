import type { Reads } from '../../../../kernel/call.ts'
import { iso } from '../../../../kernel/time.ts'
import { consentsWithDocuments } from './device-consent.service.ts'

/** Every answer to a consent document, with what was shown. */
export const consentsView = async (call: Reads, sessionId: string) =>
  (await consentsWithDocuments(call, sessionId)).map((consent) => ({
    kind: consent.kind,
    version: consent.version,
    locale: consent.locale,
    documentHash: consent.documentHash,
    acceptedAt: iso(consent.acceptedAt),
    recordedAt: iso(consent.recordedAt),
    lanes: JSON.parse(consent.lanes) as unknown,
    shown: JSON.parse(consent.document) as unknown,
  }))
