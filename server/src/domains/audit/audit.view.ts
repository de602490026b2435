import { isoOf } from '../../kernel/audit/audit.digest.ts'
import type { AuditPage } from './audit.list.service.ts'
import type { ListedRow } from './audit.list.store.ts'

export const auditPageView = ({ rows, labels, ...page }: AuditPage) => ({
  ...page,
  items: rows.map(({ at, actorKind, actorId, payload, ...row }) => {
    const label = labels.get(actorId)
    return {
      ...row,
      at: isoOf(at),
      actor: { kind: actorKind, id: actorId, ...(label === undefined ? {} : { label }) },
      ...(payload === null ? {} : { payload: JSON.parse(payload) as Record<string, unknown> }),
    }
  }),
})

/** One row by itself, without what is beside the chain. */
export const auditRowView = ({ at, actorKind, actorId, payload: _beside, ...row }: ListedRow) => ({
  ...row,
  at: isoOf(at),
  actor: { kind: actorKind, id: actorId },
})
