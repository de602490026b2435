import { type Days, dateOf, everyDay } from '../../../kernel/days.ts'
import type { KeptEvidence } from '../evidence/usage.service.ts'

export const usageView = ({ days, kept }: { readonly days: Days; readonly kept: KeptEvidence }) => {
  const byType = kept.byType.filter(({ objects }) => objects > 0)
  return {
    totals: {
      objects: byType.reduce((sum, { objects }) => sum + objects, 0),
      sizeBytes: byType.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
    },
    byType,
    daily: everyDay(days, kept.days, (day, row) => ({
      date: dateOf(day),
      addedBytes: row?.addedBytes ?? 0,
      erasedBytes: row?.erasedBytes ?? 0,
    })),
    heaviest: [...kept.heaviest],
  }
}
