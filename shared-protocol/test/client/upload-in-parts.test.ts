import { describe, expect, it } from 'vitest'
import { IntegrityError } from '../../client/src/errors.ts'
import { bytesSource } from '../../client/src/source.ts'
import { failed, unreached } from '../../client/src/test-support/failed.ts'
import { type InPartsOptions, uploadInParts } from '../../client/src/upload-in-parts.ts'
import type { Part, UploadState, UploadSteps } from '../../client/src/upload-steps.ts'

const partSize = 4
const evidence = { id: 'evd_1' } as never

/** A service of one upload, which keeps what it is told to and answers what it is told to. */
class FakeUpload implements UploadSteps {
  readonly said: string[] = []
  readonly parts = new Map<number, string>()
  state = 'open'
  uploads = 1
  known = true
  /** Called before a request is answered; throws for what it is answered instead. */
  onRequest: (request: string) => void = () => {}

  readonly partCount: number

  constructor(partCount: number) {
    this.partCount = partCount
  }

  get #state(): UploadState & { state: string } {
    const receivedParts = [...this.parts.keys()]
    return { uploadId: `upl_${this.uploads}`, partSize, partCount: this.partCount, receivedParts, state: this.state }
  }
  #hear(request: string): void {
    this.said.push(request)
    this.onRequest(request)
  }

  async begin() {
    this.#hear('begin')
    if (this.state === 'completed') return { deduplicated: true as const, evidence }
    return this.#state
  }
  async part(_uploadId: string, { index, bytes }: Part, signal: AbortSignal): Promise<void> {
    await new Promise(setImmediate)
    signal.throwIfAborted()
    this.parts.set(index, Buffer.from(bytes).toString())
    this.#hear(`part ${index}`)
  }
  async complete() {
    this.#hear('complete')
    const missingParts = Array.from({ length: this.partCount }, (_, at) => at).filter((at) => !this.parts.has(at))
    if (missingParts.length > 0) throw failed('conflict', { extra: { missingParts } })
    this.state = 'completed'
    return evidence
  }
  status? = async () => {
    this.#hear('status')
    if (!this.known) throw failed('not_found')
    return this.#state
  }
}

const bytes = new TextEncoder().encode('aaaabbbbccccdd')
const upload = (steps: UploadSteps, more: Partial<InPartsOptions> = {}) =>
  uploadInParts({ steps, source: bytesSource(bytes), sha256: async () => 'a'.repeat(64), parallel: 1, ...more })
/** The same item asked for again, as after a restart. */
const again = (steps: FakeUpload, more: Partial<InPartsOptions> = {}) => {
  steps.said.length = 0
  steps.onRequest = () => {}
  return upload(steps, more)
}

describe('an upload in parts', () => {
  it('sends the parts in any order and completes when the last is there', async () => {
    const service = new FakeUpload(4)
    const slow = Promise.withResolvers<void>()
    const part = service.part.bind(service)
    service.part = async (id, one, signal) => {
      if (one.index === 0) await slow.promise
      await part(id, one, signal)
      if (service.parts.size === 3) slow.resolve()
    }
    expect(await upload(service, { parallel: 2 })).toEqual({ evidence, deduplicated: false, resumedParts: 0 })
    expect(service.said).toEqual(['begin', 'part 1', 'part 2', 'part 3', 'part 0', 'complete'])
    expect([...service.parts].sort(([a], [b]) => a - b).map(([, text]) => text)).toEqual(['aaaa', 'bbbb', 'cccc', 'dd'])
  })

  it('sends a part whose acknowledgement was lost not a second time', async () => {
    const service = new FakeUpload(4)
    service.onRequest = (request) => {
      if (request === 'part 1') throw unreached()
    }
    await expect(upload(service)).rejects.toMatchObject({ code: 'no_answer' })
    expect(await again(service)).toMatchObject({ resumedParts: 2 })
    expect(service.said).toEqual(['begin', 'part 2', 'part 3', 'complete'])
  })

  it('is done when the answer to completing was lost: it is asked for again and nothing is sent', async () => {
    const service = new FakeUpload(4)
    service.complete = async () => {
      service.state = 'completed'
      throw unreached()
    }
    await expect(upload(service)).rejects.toMatchObject({ code: 'no_answer' })
    expect(await again(service)).toEqual({ evidence, deduplicated: true, resumedParts: 0 })
    expect(service.said).toEqual(['begin'])
    expect(await again(service, { uploadId: 'upl_1' })).toMatchObject({ evidence: undefined })
    expect(service.said).toEqual(['status'])
  })

  it('sends exactly the parts that completing names as missing', async () => {
    const service = new FakeUpload(4)
    let lost = true
    service.onRequest = (request) => {
      if (request !== 'part 2' || !lost) return
      lost = false
      service.parts.delete(2)
    }
    expect(await upload(service)).toMatchObject({ deduplicated: false })
    expect(service.said.slice(-4)).toEqual(['part 3', 'complete', 'part 2', 'complete'])
  })

  it.each([
    ['asks how it stands, where it can', true, ['complete', 'status', 'part 1', 'complete']],
    ['begins again, where it cannot', false, ['complete', 'begin', 'part 1', 'complete']],
  ] as const)('told of a conflict that names no part %s', async (_what, canAsk, said) => {
    const service = new FakeUpload(4)
    if (!canAsk) delete service.status
    let first = true
    service.onRequest = (request) => {
      if (request !== 'complete' || !first) return
      first = false
      service.parts.delete(1)
      throw failed('conflict')
    }
    await upload(service)
    expect(service.said.slice(-4)).toEqual(said)
  })

  it.each(['conflict', 'not_found'] as const)('begins anew when it expires between two parts (%s)', async (kind) => {
    const service = new FakeUpload(4)
    let expired = false
    service.onRequest = (request) => {
      if (request !== 'part 1' || expired) return
      expired = true
      service.parts.clear()
      service.known = false
      throw failed(kind)
    }
    await upload(service)
    expect(service.said.slice(2)).toEqual([
      'part 1',
      'status',
      'begin',
      'part 0',
      'part 1',
      'part 2',
      'part 3',
      'complete',
    ])
  })

  it.each(['aborted', 'unknown'] as const)('begins anew when the one it remembers is %s', async (how) => {
    const service = new FakeUpload(4)
    if (how === 'aborted') service.state = 'aborted'
    else service.known = false
    const told: (string | undefined)[] = []
    service.onRequest = (request) => {
      if (request !== 'begin') return
      service.state = 'open'
      service.uploads = 2
    }
    await upload(service, { uploadId: 'upl_1', onUpload: (id) => told.push(id) })
    expect(service.said.slice(0, 3)).toEqual(['status', 'begin', 'part 0'])
    expect(told).toEqual([undefined, 'upl_2'])
  })

  it('that stays incomplete ends with the conflict, after a few times', async () => {
    const service = new FakeUpload(4)
    service.onRequest = (request) => {
      if (request === 'complete') throw failed('conflict', { extra: { missingParts: [3] } })
    }
    await expect(upload(service)).rejects.toMatchObject({ kind: 'conflict' })
    expect(service.said.filter((request) => request === 'complete')).toHaveLength(3)
  })

  it.each([
    failed('forbidden'),
    failed('refused'),
    failed('later'),
    failed('conflict', { retryAfterMs: 1000 }),
    new IntegrityError({ code: 'not_the_service', status: 409, message: 'a page' }),
  ])('leaves it to its caller what $kind means', async (error) => {
    const service = new FakeUpload(4)
    service.onRequest = (request) => {
      if (request === 'complete') throw error
    }
    await expect(upload(service)).rejects.toBe(error)
    expect(service.said.filter((request) => request === 'complete')).toHaveLength(1)
  })

  it('stops at once with the reason it is given, and nothing of it goes on', async () => {
    const service = new FakeUpload(4)
    const stop = new AbortController()
    const reason = new Error('enough')
    service.onRequest = (request) => {
      if (request === 'part 1') stop.abort(reason)
    }
    await expect(upload(service, { parallel: 2, signal: stop.signal })).rejects.toBe(reason)
    const said = service.said.length
    await new Promise((resolve) => setTimeout(resolve, 5))
    expect(service.said).toHaveLength(said)
    expect(service.said).not.toContain('complete')
  })

  it('tells how far it is, with what was there before', async () => {
    const service = new FakeUpload(4)
    service.parts.set(3, 'dd').set(0, 'aaaa')
    const done: number[] = []
    await upload(service, { onProgress: ({ doneBytes }) => done.push(doneBytes) })
    expect(done).toEqual([6, 10, 14])
  })

  it('is not led astray by parts that cannot be', async () => {
    const service = new FakeUpload(4)
    service.begin = async () => ({
      uploadId: 'upl_1',
      partSize,
      partCount: 4,
      receivedParts: [9, -1, 2],
      state: 'open',
    })
    const done: number[] = []
    await upload(service, { onProgress: ({ doneBytes }) => done.push(doneBytes) }).catch(() => undefined)
    expect(done.every((count) => count >= 0)).toBe(true)
    expect([...service.parts.keys()]).toEqual(expect.arrayContaining([0, 1, 3]))
  })
})
