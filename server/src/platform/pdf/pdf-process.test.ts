import { describe, expect, it } from 'vitest'
import { aDocument, pdfOf } from './pdf.test-support.ts'
import { createPdfEngine } from './pdf-engine.ts'
import { renderInProcess } from './pdf-process.ts'

const limits = { heapMiB: 256, timeMs: 60_000, sizeMiB: 16 }
const short = aDocument([{ kind: 'paragraph', text: 'Words' }])
const long = aDocument(
  Array.from({ length: 3000 }, (_n, n) => ({ kind: 'paragraph', text: `${n} ${'words '.repeat(50)}` })),
)

describe('a PDF made in a process of its own', () => {
  it('is the one that would be made here', async () => {
    expect((await renderInProcess(short, limits)).equals(await pdfOf(short))).toBe(true)
  })

  it('is given up when it takes too long or becomes too large', async () => {
    await expect(renderInProcess(long, { ...limits, timeMs: 1 })).rejects.toMatchObject({ code: 'too_long' })
    await expect(renderInProcess(long, { ...limits, sizeMiB: 0.01 })).rejects.toMatchObject({ code: 'too_long' })
  })

  it('takes its process with it when it needs too much memory, and nobody else', async () => {
    await expect(renderInProcess(long, { ...limits, heapMiB: 16 })).rejects.toMatchObject({ code: 'process_ended' })
    await expect(renderInProcess({} as never, limits)).rejects.toMatchObject({ code: 'process_ended' })
    expect((await renderInProcess(short, limits)).subarray(0, 5).toString()).toBe('%PDF-')
  })

  it('waits for its turn, and is refused where its owner has too many waiting', async () => {
    const engine = createPdfEngine(limits)
    const all = await Promise.allSettled(Array.from({ length: 40 }, () => engine.render(short, 'one')))
    const refused = all.filter(({ status }) => status === 'rejected')
    expect(refused.length).toBeGreaterThan(0)
    expect(refused.length).toBeLessThan(40)
    for (const one of refused) expect(one).toMatchObject({ reason: { code: 'busy' } })
    expect(await engine.render(short, 'one')).toBeInstanceOf(Buffer)
  })
})
