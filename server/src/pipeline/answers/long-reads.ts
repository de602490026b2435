import type { EndpointSpec } from '@integrity/protocol'
import { type Actor, isBound } from '../../kernel/identity/actor.ts'
import { timedReader } from '../../platform/db/timed-reader.ts'
import type { Reader } from '../../platform/db/types.ts'
import { checkReading, countReading } from '../callers/ceilings.ts'
import type { LooseHandler } from '../loose-handler.ts'
import type { PipelineParts } from '../pipeline-parts.ts'
import { replicaReads } from '../replica-reads.ts'

/** Whether it answers a page of a list. */
export const isList = ({ query }: EndpointSpec): boolean => query !== undefined && 'offset' in query._zod.def.shape

/** On whose budget somebody reads: their organisation's, or their own where what they list belongs to several. */
const ownerOf = (actor: Actor): string | undefined => {
  if (isBound(actor)) return actor.orgId
  return actor.kind === 'account' ? actor.id : undefined
}

/**
 * What a request reads with. Lists, and what else says that it may be long, read out of everybody's way and on a budget, which
 * is refused here when it is used up. Where there is a replica, what may be read there is.
 */
export const readerFor = async (
  app: PipelineParts,
  endpoint: EndpointSpec,
  handler: LooseHandler,
  actor: Actor,
): Promise<Reader> => {
  // Bytes are accounted for in a transaction of their own.
  const reads = endpoint.effect === 'read' || endpoint.kind === 'bytes'
  const isLong = reads && (handler.long === true || isList(endpoint))
  const owner = ownerOf(actor)
  const replica = replicaReads.has(endpoint.id) ? app.db.replica?.reader() : undefined
  if (!isLong || owner === undefined) return replica ?? app.reader
  await checkReading(app.rate, app.config.limits, owner)
  const onSpent = (ms: number) => void countReading(app.rate, owner, ms)
  return replica ? timedReader(replica, onSpent) : app.db.longReader(owner, onSpent)
}
