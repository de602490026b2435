import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasSdks, openAwsSdk } from '../../../../test/test-support/makers-sdks.ts'
import { hasSwift, type Swift, startSwift } from '../../../../test/test-support/swift.ts'
import type { HttpOut } from '../../http-out/http-out.ts'
import { describeObjectPlace, pieces, readWhole } from '../place.conformance.ts'
import { probePlace } from '../probe-place.ts'
import { RemoteStore } from './remote.store.ts'
import { emptyPlaceIn, makeBucket, openHttp, openS3 } from './remote.test-support.ts'
import type { S3Place } from './s3.bucket.ts'

/** An S3 that others wrote, without conditional writes. */
describe.skipIf(!(await hasSwift()))('Swift', () => {
  let swift: Swift
  let http: HttpOut
  const bucketOf = (more: Partial<S3Place> = {}) => openS3(http, { ...swift, bucket: 'evidence', ...more })

  beforeAll(async () => {
    http = openHttp()
    swift = await startSwift()
    await makeBucket(http, { ...swift, bucket: 'evidence' })
  })
  afterAll(async () => {
    await http.close()
    await swift.stop()
  })

  describeObjectPlace('s3 of Swift', async () => emptyPlaceIn(bucketOf, false))

  const probed = async (more: Partial<S3Place>) => {
    const checks = await probePlace(new RemoteStore(bucketOf(more), ''), 'org_a')
    return checks.find(({ ok }) => !ok)?.message
  }

  it.each([
    ['nothing', {}, undefined],
    ['a wrong secret', { secretAccessKey: 'other' }, 'these credentials may not do this'],
    ['an unknown key', { accessKeyId: 'test:nobody' }, 'these credentials may not do this'],
    ['a bucket that is not there', { bucket: 'elsewhere' }, 'there is no bucket of this name'],
  ])('says what is wrong with %s', async (_, more, words) => {
    expect(await probed(more)).toBe(words)
  })

  it('sweeps uploads that nobody ended, and no younger ones', async () => {
    const bucket = bucketOf()
    await bucket.begin('sweep/org_a/obj_1', 'id')
    expect(await bucket.abortStale('sweep/', Date.now() - 3_600_000)).toBe(0)
    expect(await bucket.abortStale('sweep/', Date.now() + 3_600_000)).toBe(1)
    expect(await bucket.abortStale('sweep/', Date.now() + 3_600_000)).toBe(0)
  })

  it.skipIf(!hasSdks).each([0, 1, 300_000, 20 * 1024 * 1024 + 7])(
    "AWS's own library reads %i bytes that we stored, and we what it stored",
    async (size) => {
      const sdk = openAwsSdk({ ...swift, bucket: 'evidence' })
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
