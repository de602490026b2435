import { availableParallelism } from 'node:os'
import { createTurns } from '../turns.ts'
import type { PdfDocument } from './pdf.types.ts'
import { PdfError } from './pdf-error.ts'
import { type PdfLimits, renderInProcess } from './pdf-process.ts'

/** Makes PDFs out of the way of everything else. */
export interface PdfEngine {
  /** Throws PdfError. Owners have their turn one after the other. */
  render(document: PdfDocument, owner: string): Promise<Buffer>
}

const usual: PdfLimits = { heapMiB: 384, timeMs: 60_000, sizeMiB: 64 }
const bounds = { waitingOfOwner: 4, waiting: 32 }

export const createPdfEngine = (limits: PdfLimits = usual): PdfEngine => {
  const turns = createTurns({
    parallel: Math.max(1, availableParallelism() - 1),
    ...bounds,
    refuse: () => new PdfError('busy', 'too many documents are waiting to be rendered'),
  })
  return { render: (document, owner) => turns.run(owner, () => renderInProcess(document, limits)) }
}
