import type { EndpointSpec } from '@integrity/protocol'
import { type Actor, isBound } from '../kernel/identity/actor.ts'
import type { Reader } from '../platform/db/types.ts'
import { checkReading, countReading } from './ceilings.ts'
import type { LooseHandler } from './loose-handler.ts'
import type { PipelineParts } from './pipeline-parts.ts'

const isList = ({ query }: EndpointSpec): boolean => query !== undefined && 'offset' in query._zod.def.shape

/**
 * What a request reads with. Lists, and what else says that it may be long, read out of everybody's way and on their
 * organisation's budget, which is refused here when it is used up.
 */
export const readerFor = async (
  app: PipelineParts,
  endpoint: EndpointSpec,
  handler: LooseHandler,
  actor: Actor,
): Promise<Reader> => {
  const isLong = endpoint.effect === 'read' && (handler.long === true || isList(endpoint))
  if (!isLong || !isBound(actor)) return app.reader
  const { orgId } = actor
  await checkReading(app.rate, app.config.limits, orgId)
  return app.db.longReader(orgId, (ms) => void countReading(app.rate, orgId, ms))
}
