import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasSwift, type Swift, startSwift } from '../../../../test/test-support/swift.ts'
import type { HttpOut } from '../../http-out/http-out.ts'
import { describeObjectPlace } from '../place.conformance.ts'
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
})
