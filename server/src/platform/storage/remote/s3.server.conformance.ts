import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasSdks, openAwsSdk } from '../../../../test/test-support/makers-sdks.ts'
import type { HttpOut } from '../../http-out/http-out.ts'
import { describeObjectPlace, pieces, readWhole } from '../place.conformance.ts'
import { probePlace } from '../probe-place.ts'
import { StorageError } from '../types.ts'
import { RemoteStore } from './remote.store.ts'
import { damaging, emptyPlaceIn, makeBucket, openHttp, openS3 } from './remote.test-support.ts'
import type { Bucket } from './remote.types.ts'
import type { S3Place } from './s3.bucket.ts'

/** A server that speaks S3 and that others wrote. */
interface S3Server {
  readonly endpoint: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
  stop(): Promise<void>
}

interface Expected {
  /** Whether it refuses to write over a taken name. */
  readonly conditional: boolean
  /** What the probe says to each. */
  readonly words: { readonly wrongSecret: string; readonly unknownKey: string }
}

/** What must hold against every real server that speaks S3. */
export const describeS3Server = (name: string, start: () => Promise<S3Server>, expected: Expected): void => {
  let server: S3Server
  let http: HttpOut
  const bucketOf = (more: Partial<S3Place> = {}) => openS3(http, { ...server, bucket: 'evidence', ...more })
  beforeAll(async () => {
    http = openHttp()
    server = await start()
    await makeBucket(http, { ...server, bucket: 'evidence' })
  })
  afterAll(async () => {
    await http.close()
    await server.stop()
  })

  describeObjectPlace(`s3 of ${name}`, async () => emptyPlaceIn(bucketOf, expected.conditional))

  const probed = async (more: Partial<S3Place>) => {
    const checks = await probePlace(new RemoteStore(bucketOf(more), ''), 'org_a')
    return checks.find(({ ok }) => !ok)?.message
  }

  it.each([
    ['nothing', {}, undefined],
    ['a wrong secret', { secretAccessKey: 'other' }, expected.words.wrongSecret],
    ['an unknown key', { accessKeyId: 'test:nobody' }, expected.words.unknownKey],
    ['a bucket that is not there', { bucket: 'elsewhere' }, 'there is no bucket of this name'],
  ])('says what is wrong with %s', async (_, more, words) => {
    expect(await probed(more)).toBe(words)
  })

  it('says that the clocks differ', async () => {
    const bucket = openS3(http, { ...server, bucket: 'evidence' }, () => Date.now() - 3_600_000)
    const [check] = await probePlace(new RemoteStore(bucket, ''), 'org_a')
    expect(check?.message).toContain('the clock of this machine')
  })

  it.each([1000, 9 * 1024 * 1024])('takes none of %i bytes that were altered on their way', async (size) => {
    const store = new RemoteStore(openS3(damaging(http), { ...server, bucket: 'evidence' }), 'damaged/')
    await expect(store.put('org_a/obj_1', pieces(randomBytes(size)), { size })).rejects.toThrow(StorageError)
    expect((await bucketOf().list('damaged/', { limit: 10 })).names).toEqual([])
  })

  it('sweeps uploads that nobody ended, and no younger ones', async () => {
    const bucket = bucketOf()
    await bucket.begin('sweep/org_a/obj_1', 'id')
    expect(await bucket.abortStale('sweep/', Date.now() - 3_600_000)).toBe(0)
    expect(await bucket.abortStale('sweep/', Date.now() + 3_600_000)).toBe(1)
    expect(await bucket.abortStale('sweep/', Date.now() + 3_600_000)).toBe(0)
  })

  describeOwnLibrary(bucketOf, () => ({ ...server, bucket: 'evidence' }))
}

const describeOwnLibrary = (bucketOf: () => Bucket, place: () => Parameters<typeof openAwsSdk>[0]): void => {
  describe.skipIf(!hasSdks)("AWS's own library", () => {
    it.each([0, 1, 300_000, 20 * 1024 * 1024 + 7])(
      'reads %i bytes that we stored, and we what it stored',
      async (size) => {
        const sdk = openAwsSdk(place())
        try {
          const [ours, theirs] = [randomBytes(size), randomBytes(size)]
          const store = new RemoteStore(bucketOf(), 'sdk/')
          await store.put(`org_a/ours_${size}`, pieces(ours, 100_000), { size })
          expect((await sdk.get(`sdk/org_a/ours_${size}`)).equals(ours)).toBe(true)
          await sdk.put(`sdk/org_a/theirs_${size}`, theirs)
          expect((await readWhole(store, `org_a/theirs_${size}`)).equals(theirs)).toBe(true)
        } finally {
          sdk.close()
        }
      },
    )
  })
}
