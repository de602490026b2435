import { randomBytes } from 'node:crypto'
import { createHttpOut, type HttpOut } from '../../http-out/http-out.ts'
import type { PlaceUnderTest } from '../place.conformance.ts'
import { RemoteStore } from './remote.store.ts'
import type { Bucket } from './remote.types.ts'
import { S3Bucket, type S3Place } from './s3.bucket.ts'
import { signS3 } from './s3.signature.ts'

export const openHttp = (): HttpOut => createHttpOut({ allowPrivate: true, isInTransaction: () => false })

/** Without waiting between two tries. */
export const openS3 = (
  http: Pick<HttpOut, 'request'>,
  place: Pick<S3Place, 'endpoint' | 'bucket'> & Partial<S3Place>,
  now = () => Date.now(),
): S3Bucket =>
  new S3Bucket(
    { region: 'us-east-1', pathStyle: true, accessKeyId: 'key', secretAccessKey: 'secret', ...place },
    { http, now, retryMs: 0, silenceMs: 60_000 },
  )

/** Changes one bit of each body on its way, after it was hashed and signed. */
export const damaging = (http: HttpOut): Pick<HttpOut, 'request'> => ({
  request: (url, ask) => {
    const { body } = ask
    if (!Buffer.isBuffer(body) || body.length === 0) return http.request(url, ask)
    const altered = Buffer.from(body)
    altered[altered.length >> 1] = (altered[altered.length >> 1] ?? 0) ^ 1
    return http.request(url, { ...ask, body: altered })
  },
})

/** Buckets are their owner's to make; the service never does. */
export const makeBucket = async (
  http: HttpOut,
  place: Pick<S3Place, 'endpoint' | 'bucket' | 'accessKeyId' | 'secretAccessKey'>,
) => {
  const url = new URL(`/${place.bucket}`, place.endpoint)
  const request = { method: 'PUT', url, headers: { 'content-length': '0' } } as const
  const headers = signS3(request, { ...place, region: 'us-east-1' }, Date.now())
  const answer = await http.request(url.href, { method: 'PUT', headers, silenceMs: 60_000 })
  await answer.body.dump()
  if (answer.statusCode !== 200) throw new Error(`no bucket was made (${answer.statusCode})`)
}

/** An empty place in a bucket that others use too: below a prefix of its own. */
export const emptyPlaceIn = (open: () => Bucket, decidesRaces: boolean): PlaceUnderTest => {
  const prefix = `t-${randomBytes(8).toString('hex')}/`
  const bucket = open()
  const leftovers = async () => (await bucket.list(prefix, { limit: 1000 })).names
  return {
    store: new RemoteStore(bucket, prefix),
    reopen: async () => new RemoteStore(open(), prefix),
    decidesRaces,
    leftovers,
    close: async () => {
      for (const name of await leftovers()) await bucket.remove(name)
    },
  }
}
