import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import type { PdfDocument } from './pdf.types.ts'
import { layOut } from './pdf-layout.ts'

/** Run by `pdf-process.ts` as a process of its own: reads one document, writes its PDF, and ends. */
const document = JSON.parse(await text(process.stdin)) as PdfDocument
await pipeline(layOut(document), process.stdout)
