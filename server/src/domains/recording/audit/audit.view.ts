import { pickLanguage } from '@integrity/protocol/clients/language'
import { auditTexts } from '@integrity/protocol/texts/areas/audit'
import { catalogueOf } from '@integrity/protocol/texts/catalogue'
import { isoOf } from '../../../kernel/audit/audit.digest.ts'
import type { AuditPage } from './audit.list.service.ts'
import type { ListedRow } from './audit.list.store.ts'

const catalogue = catalogueOf(auditTexts)
const sentencesIn = (texts: string): Readonly<Record<string, string>> => pickLanguage(catalogue, [texts]).texts

/** `texts`: the language of a sentence for each row; without one there is none. */
export const auditPageView = ({ rows, labels, ...page }: AuditPage, texts?: string) => {
  const sentences = texts === undefined ? {} : sentencesIn(texts)
  const items = rows.map(({ at, actorKind, actorId, payload, ...row }) => {
    const label = labels.get(actorId)
    const text = sentences[row.action]
    return {
      ...row,
      ...(text === undefined ? {} : { text }),
      at: isoOf(at),
      actor: { kind: actorKind, id: actorId, ...(label === undefined ? {} : { label }) },
      ...(payload === null ? {} : { payload: JSON.parse(payload) as Record<string, unknown> }),
    }
  })
  return { ...page, items }
}

/** One row by itself, without what is beside the chain. */
export const auditRowView = ({ at, actorKind, actorId, payload: _beside, ...row }: ListedRow) => ({
  ...row,
  at: isoOf(at),
  actor: { kind: actorKind, id: actorId },
})
