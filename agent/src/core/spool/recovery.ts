import type { EventDataOf, LaneName } from '@integrity/protocol'
import type { ItemFiles } from './item-files.ts'
import { inOrderOfCapture } from './item-order.ts'
import type { SpoolIndex } from './spool-index.ts'
import { type ItemHeader, ItemLost, type LossReason, type QueuedItem, type SpoolReport } from './types.ts'

/** Items of a lane that were lost before they reached the server, and why. Times are epoch milliseconds. */
export interface ItemSpan {
  readonly lane: LaneName
  readonly clientIds: readonly string[]
  readonly from: number
  readonly to: number
}

/** One span for each lane, in the order the lanes first appear. */
export const spansByLane = (items: readonly QueuedItem[]): ItemSpan[] =>
  [...Map.groupBy(items, (item) => item.lane)].map(([lane, group]) => ({
    lane,
    clientIds: group.map((item) => item.clientId),
    from: Math.min(...group.map((item) => item.capturedAt)),
    to: Math.max(...group.map((item) => item.capturedAt)),
  }))

/** The data of an event about lost unsent items. */
export const unsentOf = ({ lane, clientIds, from, to }: ItemSpan): EventDataOf<'spool.thinned'> => ({
  lane,
  items: clientIds.length,
  fromAt: new Date(from).toISOString(),
  toAt: new Date(to).toISOString(),
})

export interface Recovery {
  readonly lost: readonly ItemSpan[]
  readonly reports: readonly SpoolReport[]
}

/** Takes in the items that have a file and no row, in the order in which they were captured. */
const adopt = async (index: SpoolIndex, files: ItemFiles, clientIds: Iterable<string>): Promise<SpoolReport[]> => {
  const headers: ItemHeader[] = []
  const reports: SpoolReport[] = []
  for (const clientId of clientIds) {
    try {
      headers.push((await files.read(clientId)).header)
    } catch (error) {
      if (!(error instanceof ItemLost)) throw error
      reports.push({ kind: 'unreadable_file', path: await files.setAside(clientId) })
    }
  }
  for (const header of headers.sort(inOrderOfCapture)) {
    index.addItem(header, await files.size(header.clientId))
    reports.push({ kind: 'adopted', clientId: header.clientId, lane: header.lane })
  }
  return reports
}

/**
 * Brings index and files together after a stop at any instant:
 * an acknowledged or shredded row takes its file along; a row without a file, or with one of another length, is a loss
 * to report; a file without a row (killed between the rename and the commit, or the index was set aside) is adopted.
 */
export const recover = async (index: SpoolIndex, files: ItemFiles): Promise<Recovery> => {
  const present = await files.list()
  const gone: string[] = []
  const removable: string[] = []
  const missing: QueuedItem[] = []
  for (const item of index.allItems()) {
    const has = present.delete(item.clientId)
    if (item.state === 'acked') {
      gone.push(item.clientId)
      if (has) removable.push(item.clientId)
    } else if (item.fileBytes === 0) {
      if (has) removable.push(item.clientId)
    } else if (!has) {
      missing.push(item)
    } else if ((await files.size(item.clientId)) !== item.fileBytes) {
      await files.setAside(item.clientId)
      missing.push(item)
    }
  }
  await files.remove(removable)
  index.forgetItems(gone)
  const reports = await adopt(index, files, present)
  const lost = spansByLane(missing)
  const reason: LossReason = 'file_missing'
  for (const span of lost) reports.push({ kind: 'lost', lane: span.lane, items: span.clientIds.length, reason })
  return { lost, reports }
}
