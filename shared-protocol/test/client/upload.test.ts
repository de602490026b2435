import { describe, expect, it } from 'vitest'
import { createIntegrityClient, type UploadOptions } from '../../client/src/index.ts'
import { createTestRuntime, ok, refused } from './test-runtime.ts'

const partBytes = 4

interface Script {
  /** The answers of `complete`, the last one forever. */
  readonly complete?: readonly (() => Response)[]
  /** What a part is answered, by its index. */
  readonly part?: (index: number) => Response | Promise<Response>
  readonly here?: () => readonly number[]
}

/** A service that takes parts of four bytes. */
const service = (script: Script = {}) => {
  const parts: { index: number; text: string; sha256: string | null }[] = []
  let begins = 0
  let completes = 0
  let open = 0
  let most = 0
  const begun = (body: { sizeBytes: number }) => ({
    uploadId: `upl_${begins}`,
    partSize: partBytes,
    partCount: Math.ceil(body.sizeBytes / partBytes),
    receivedParts: script.here?.() ?? [],
    expiresAt: 'x',
  })
  const fetch = async (url: string, init: RequestInit): Promise<Response> => {
    const { pathname, searchParams } = new URL(url)
    if (pathname.endsWith('/evidence')) {
      begins += 1
      return ok(begun(JSON.parse(init.body as string) as { sizeBytes: number }))
    }
    if (pathname.endsWith('/complete')) {
      const answers = script.complete ?? [() => ok({ id: 'evd_1' })]
      completes += 1
      return (answers[Math.min(completes, answers.length) - 1] as () => Response)()
    }
    const index = Number(searchParams.get('index'))
    open += 1
    most = Math.max(most, open)
    await new Promise(setImmediate)
    open -= 1
    init.signal?.throwIfAborted()
    const answer = (await script.part?.(index)) ?? ok({ index })
    const sha256 = new Headers(init.headers).get('x-service-part-sha256')
    if (answer.ok) parts.push({ index, text: Buffer.from(init.body as Uint8Array).toString(), sha256 })
    return answer
  }
  const client = createIntegrityClient({ baseUrl: 'https://service.test', fetch, runtime: createTestRuntime() })
  const upload = (source: UploadOptions['source'], extra: Partial<UploadOptions> = {}) =>
    client.upload({
      sessionId: 'ses_1',
      source,
      evidenceType: 'screen_clip',
      contentType: 'video/webm',
      capturedAt: new Date(0),
      ...extra,
    })
  return {
    upload,
    texts: () => [...parts].sort((a, b) => a.index - b.index).map(({ text }) => text),
    parts,
    get begins() {
      return begins
    },
    get most() {
      return most
    },
  }
}
const bytes = new TextEncoder().encode('aaaabbbbccccddddee')
const pieces = (...sizes: number[]) => {
  let at = 0
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      const size = sizes.shift()
      if (size === undefined) return controller.close()
      controller.enqueue(bytes.slice(at, at + size))
      at += size
    },
  })
}

describe('an upload in parts', () => {
  it('sends each part once with its hash, only so many at a time, and the next while one is under way', async () => {
    const second = Promise.withResolvers<void>()
    const part = async (index: number) => {
      if (index === 1) second.resolve()
      if (index === 0) await second.promise
      return ok({})
    }
    const one = service({ part })
    await one.upload(bytes, { parallel: 2 })
    expect(one.texts()).toEqual(['aaaa', 'bbbb', 'cccc', 'dddd', 'ee'])
    expect(one.most).toBeLessThanOrEqual(2)
    expect(one.parts.find(({ index }) => index === 0)?.sha256).toBe(
      '61be55a8e2f6b4e172338bddf184d6dbee29c98853e0a0485ecee7f27b9af0b4',
    )
  })

  it('sends only what is not there yet', async () => {
    const one = service({ here: () => [0, 2, 4] })
    const { resumedParts } = await one.upload(new Blob([bytes]))
    expect(one.texts()).toEqual(['bbbb', 'dddd'])
    expect(resumedParts).toBe(3)
  })

  it('cuts a stream into parts however its pieces come, and passes over those that are there', async () => {
    for (const sizes of [[18], [1, 2, 3, 4, 5, 3], [5, 0, 13], Array.from({ length: 18 }, () => 1)]) {
      const one = service({ here: () => [1] })
      const source = { stream: pieces(...sizes), sizeBytes: 18 }
      await one.upload(source, { sha256: 'a'.repeat(64) })
      expect(one.texts()).toEqual(['aaaa', 'cccc', 'dddd', 'ee'])
    }
  })

  it('sends a part again after no answer, and the others go on', async () => {
    let failures = 2
    const part = (index: number) => {
      if (index === 1 && failures > 0) {
        failures -= 1
        return failures === 1 ? Promise.reject(new TypeError('reset')) : refused(503, 'service_unavailable')
      }
      return ok({})
    }
    const one = service({ part })
    await one.upload(bytes)
    expect(one.texts()).toHaveLength(5)
  })

  it('begins again when the service found the parts damaged, and gives up after a few times', async () => {
    const damaged = () => refused(409, 'conflict')
    const one = service({ complete: [damaged, () => ok({ id: 'evd_2' })] })
    expect((await one.upload(bytes)).evidence.id).toBe('evd_2')
    expect(one.begins).toBe(2)
    const never = service({ complete: [damaged] })
    await expect(never.upload(bytes)).rejects.toMatchObject({ status: 409 })
    expect(never.begins).toBe(3)
  })

  it('stops all parts at the first refusal and throws it', async () => {
    const one = service({ part: (index) => (index === 1 ? refused(400, 'invalid_request') : ok({})) })
    await expect(one.upload(bytes, { parallel: 1 })).rejects.toMatchObject({ status: 400 })
    expect(one.texts()).toEqual(['aaaa'])
  })

  it('ends at once when it is aborted, though its stream gives nothing more', async () => {
    const stopping = new AbortController()
    let cancelled = false
    const stream = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(bytes.slice(0, 5)),
      cancel: () => {
        cancelled = true
      },
    })
    const one = service()
    const reason = new Error('enough')
    const onProgress = ({ doneBytes }: { doneBytes: number }) => {
      if (doneBytes > 0) stopping.abort(reason)
    }
    const source = { stream, sizeBytes: 18 }
    const upload = one.upload(source, { sha256: 'a'.repeat(64), onProgress, signal: stopping.signal })
    await expect(upload).rejects.toBe(reason)
    expect(cancelled).toBe(true)
    expect(one.texts()).toEqual(['aaaa'])
  })
})
