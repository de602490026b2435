import { auditEraser } from '../kernel/audit-eraser.ts'
import type { Needs } from '../kernel/call.ts'
import { outboxEraser } from '../kernel/outbox-eraser.ts'
import { idempotencyEraser } from '../pipeline/idempotency/idempotency.erase.ts'
import type { PipelineParts } from '../pipeline/pipeline-parts.ts'
import { erasersOfDomains } from './generated/erasers.ts'

type Kept = Needs<'openUploads' | 'previews' | 'sessionKeys'>

/** All that forget an interview, in the order in which they do: the domains, then what stands below them. */
export const createErasers = (kept: Kept): PipelineParts['erasers'] => [
  ...erasersOfDomains.map((create) => create(kept)).toSorted((a, b) => a.order - b.order),
  outboxEraser,
  idempotencyEraser,
  auditEraser,
]
