import type { captureChain, captureChainSummary } from '@integrity/protocol'
import type * as z from 'zod'
import type { Reads } from '../../../kernel/call.ts'
import { iso } from '../../../kernel/time.ts'
import { ChainWalk } from '../../interviews/capture-keys/capture-keys.model.ts'
import { captureKeysOf } from '../../interviews/capture-keys/capture-keys.service.ts'
import { getSession } from '../../interviews/sessions/sessions.read.service.ts'
import { captureLinkPages } from './evidence.links.service.ts'
import { listCounts } from './evidence.store.ts'

/** Where each machine's chain is whole and where it is not, as the rows are served now. Throws `not_found` for a foreign session. */
export const captureChainOf = async (call: Reads, sessionId: string): Promise<z.output<typeof captureChain>> => {
  await getSession(call, sessionId)
  const keys = await captureKeysOf(call, sessionId)
  const walks = new Map(keys.map(({ key }) => [key, new ChainWalk()]))
  const came = new Map<string, number>()
  let notVerifiedItems = 0
  for await (const page of captureLinkPages(call, sessionId))
    for (const link of page) {
      came.set(link.evidenceType, (came.get(link.evidenceType) ?? 0) + 1)
      const walk = link.verified === 1 ? walks.get(link.key) : undefined
      if (walk) walk.take({ ...link, sessionId })
      else notVerifiedItems += 1
    }
  const chains = keys.map(({ key, documentHash, signature, registeredAt, ...ended }) => {
    const walk = walks.get(key) ?? new ChainWalk()
    const { endItems, endLast, endSignature, endedAt } = ended
    const end =
      endItems === null || endLast === null || endSignature === null || endedAt === null
        ? null
        : { items: endItems, last: endLast, signature: endSignature, at: iso(endedAt) }
    if (end) walk.end(end.items, end.last)
    const { items, gaps, missingItems, breaks, brokenPlaces, repeated, repeatedItems } = walk
    const found = { items, gaps, missingItems, breaks, brokenPlaces, repeated, repeatedItems }
    return { key, documentHash, signature, registeredAt: iso(registeredAt), ...found, end }
  })
  const counts = await listCounts(call.reader, call.scope, sessionId)
  return {
    sessionId,
    chains,
    signedItems: chains.reduce((sum, { items }) => sum + items, 0),
    notVerifiedItems,
    notSigned: counts
      .map(({ evidenceType, objects }) => ({ evidenceType, items: objects - (came.get(evidenceType) ?? 0) }))
      .filter(({ items }) => items > 0),
  }
}

/** The capture chain of a session in numbers. */
export const sumCaptureChain = async (
  call: Reads,
  sessionId: string,
): Promise<z.output<typeof captureChainSummary>> => {
  const { chains, signedItems, notVerifiedItems, notSigned } = await captureChainOf(call, sessionId)
  const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0)
  return {
    keys: chains.length,
    signedItems,
    notVerifiedItems,
    notSignedItems: sum(notSigned.map(({ items }) => items)),
    missingItems: sum(chains.map(({ missingItems }) => missingItems)),
    brokenPlaces: sum(chains.map(({ brokenPlaces }) => brokenPlaces)),
    repeatedItems: sum(chains.map(({ repeatedItems }) => repeatedItems)),
  }
}
