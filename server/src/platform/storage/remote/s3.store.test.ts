import { randomBytes } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type S3Ask, type S3Double, startS3Double } from '../../../../test/test-support/s3-double.ts'
import type { HttpOut } from '../../http-out/http-out.ts'
import { describeObjectPlace, pieces, readWhole, refusal } from '../place.conformance.ts'
import { probePlace } from '../probe-place.ts'
import { RemoteStore } from './remote.store.ts'
import { emptyPlaceIn, openHttp, openS3 } from './remote.test-support.ts'

const mib = 1024 * 1024
let double: S3Double
let http: HttpOut
beforeAll(async () => {
  http = openHttp()
  double = await startS3Double()
})
afterAll(async () => {
  await http.close()
  await double.stop()
})

const bucketOf = (place: { bucket?: string; silenceMs?: number } = {}) =>
  openS3(http, { endpoint: double.endpoint, bucket: 'evidence', ...place })

describe.each([true, false])('with conditional writes: %s', (conditional) => {
  beforeAll(() => {
    double.conditional = conditional
  })
  afterAll(() => {
    double.conditional = true
  })
  describeObjectPlace('s3', async () => emptyPlaceIn(bucketOf, conditional))
})

describe('an S3 that fails', () => {
  afterEach(() => {
    double.fault = () => undefined
    double.objects.clear()
    double.uploads.clear()
  })
  const key = 'org_a/obj_1'
  const store = () => new RemoteStore(bucketOf(), '')
  const put = (bytes: Buffer) => store().put(key, pieces(bytes, 300_000), { size: bytes.length })
  /** The first time only. */
  const once = (is: (ask: S3Ask) => boolean, fault: ReturnType<S3Double['fault']>) => {
    let done = false
    double.fault = (ask) => {
      if (done || !is(ask)) return undefined
      done = true
      return fault
    }
  }

  it.each(['break', 'lost', { status: 503, code: 'SlowDown' }, { status: 500 }] as const)(
    'once while an object is put (%j) makes no difference',
    async (fault) => {
      once(({ method }) => method === 'PUT', fault)
      await put(Buffer.from('bytes'))
      expect((await readWhole(store(), key)).toString()).toBe('bytes')
    },
  )

  it.each(['part', 'completion'])('by losing its answer to a %s makes no difference', async (what) => {
    const method = what === 'part' ? 'PUT' : 'POST'
    once((ask) => ask.method === method && ask.query.has('uploadId'), 'lost')
    const bytes = randomBytes(20 * mib)
    await put(bytes)
    expect((await readWhole(store(), key)).equals(bytes)).toBe(true)
    expect(double.uploads.size).toBe(0)
  })

  it.each([
    [{ status: 200, code: 'InternalError' }, 'POST'],
    [{ status: 200, code: 'SlowDown' }, 'POST'],
    [{ status: 400, code: 'RequestTimeout' }, 'POST'],
    [{ status: 400, code: 'RequestTimeout' }, 'PUT'],
  ] as const)('by %j to a %s, whose code says that it passes, is asked again', async (fault, method) => {
    let answered = 0
    once((ask) => ask.method === method && ask.query.has('uploadId') && ++answered > 0, fault)
    const bytes = randomBytes(20 * mib)
    await put(bytes)
    expect((await readWhole(store(), key)).equals(bytes)).toBe(true)
    expect([answered, double.uploads.size]).toEqual([1, 0])
  })

  it('and keeps failing leaves no half object and no upload behind', async () => {
    double.fault = ({ query }) => (query.get('partNumber') === '2' ? { status: 503, code: 'SlowDown' } : undefined)
    await expect(put(randomBytes(20 * mib))).rejects.toEqual(refusal('unreachable'))
    expect([double.objects.size, double.uploads.size]).toEqual([0, 0])
  })

  it('in the middle of an answer is asked again from there', async () => {
    const bytes = randomBytes(20 * mib)
    await put(bytes)
    let reads = 0
    double.fault = ({ method }) => (method === 'GET' && ++reads % 2 === 1 ? 'half' : undefined)
    const reader = await store().open(key)
    for (let at = 0; at < bytes.length; at += mib)
      expect((await reader.read(at, mib)).equals(bytes.subarray(at, at + mib))).toBe(true)
    await reader.close()
    expect(reads).toBeGreaterThan(2)
  })

  it.each([
    [{ status: 403, code: 'InvalidAccessKeyId' }, 'denied', 'does not know this access key'],
    [{ status: 403, code: 'SignatureDoesNotMatch' }, 'denied', 'the secret is not that of this access key'],
    [{ status: 403, code: 'RequestTimeTooSkewed' }, 'clock_skew', 'clock'],
    [{ status: 400, code: 'AuthorizationHeaderMalformed' }, 'no_bucket', 'region'],
    [{ status: 507, code: 'QuotaExceeded' }, 'full', 'no room left'],
    [{ status: 503, code: 'SlowDown' }, 'unreachable', 'too busy'],
    ['break', 'unreachable', 'closed the connection'],
  ] as const)('with %j is told in words', async (fault, code, words) => {
    double.fault = () => fault
    const failure = await put(Buffer.from('x')).catch((error: unknown) => error)
    expect(failure).toEqual(refusal(code))
    expect((failure as Error).message).toContain(words)
  })

  it('by silence is given up', async () => {
    const silent = openS3(
      { ...http, request: (url, ask) => http.request(url, { ...ask, silenceMs: 50 }) },
      {
        endpoint: double.endpoint,
        bucket: 'evidence',
      },
    )
    double.fault = () => 'hang'
    await expect(new RemoteStore(silent, '').exists(key)).rejects.toThrow('did not answer in time')
  })

  describe('is found by the probe', () => {
    const probed = async () => {
      const checks = await probePlace(store(), 'org_a')
      return Object.fromEntries(checks.map(({ name, ok, message }) => [name, ok || message]))
    }
    const all = { write: true, read: true, range: true, conditional_write: true, list: true, delete: true }

    it('which finds nothing and leaves nothing where all goes well', async () => {
      expect(await probed()).toEqual(all)
      expect(double.objects.size).toBe(0)
    })

    it.each([
      [
        'read',
        (ask: S3Ask) => ask.method === 'GET' && !ask.query.has('list-type') && ask.headers.range === 'bytes=0-262143',
        ['read', 'range'],
      ],
      ['list', (ask: S3Ask) => ask.query.has('list-type'), ['list']],
      ['delete', (ask: S3Ask) => ask.method === 'DELETE', ['delete']],
    ] as const)('where these credentials may not %s', async (_, is, failing) => {
      double.fault = (ask) => (is(ask) ? { status: 403, code: 'AccessDenied' } : undefined)
      const words = 'these credentials may not do this'
      expect(await probed()).toEqual({ ...all, ...Object.fromEntries(failing.map((name) => [name, words])) })
    })

    it('where nothing may be written, which leaves the rest untried', async () => {
      double.fault = ({ method }) => (method === 'PUT' ? { status: 403, code: 'AccessDenied' } : undefined)
      const untried = 'not tried: nothing could be written'
      expect(await probed()).toEqual({
        write: 'these credentials may not do this',
        read: untried,
        range: untried,
        conditional_write: untried,
        list: untried,
        delete: untried,
      })
    })

    it('where other bytes come back', async () => {
      double.fault = ({ method }) => {
        if (method !== 'PUT')
          for (const [name, { putId }] of double.objects) double.objects.set(name, { bytes: randomBytes(4096), putId })
        return undefined
      }
      expect(await probed()).toMatchObject({ read: 'other bytes came back than were written' })
    })
  })
})
