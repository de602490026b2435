import { createClient } from '@integrity/client/every-endpoint'
import { generateIdentity } from '../src/platform/crypto/age-keys.ts'
import { signAzure } from '../src/platform/storage/remote/azure.signature.ts'
import { RemoteStore } from '../src/platform/storage/remote/remote.store.ts'
import { makeBucket, openHttp, openS3 } from '../src/platform/storage/remote/remote.test-support.ts'
import { sealWhole } from '../src/platform/storage/sealed-object.ts'
import { azuriteProgram, startAzurite } from '../test/test-support/azurite.ts'
import { hasCeph, startCeph } from '../test/test-support/ceph.ts'
import { hasSdks, openAwsSdk } from '../test/test-support/makers-sdks.ts'
import { hasSwift, startSwift } from '../test/test-support/swift.ts'
import {
  allCores,
  type Bench,
  type BenchServer,
  compared,
  type Figure,
  median,
  memberCookie,
  noCeilings,
  seconds,
  startBenchServer,
} from './harness.ts'
import { prepare, sendOurs, sendRepeated, settleDisk, watching } from './upload.ts'

const MiB = 1024 * 1024
const size = 128 * MiB
const rounds = 3
/** As our store sends them. */
const [partBytes, partsAtOnce] = [8 * MiB, 3]
const bucket = 'evidence'

type Place = Parameters<typeof openAwsSdk>[0]
type PutBody = Record<string, unknown> & { readonly provider: 's3' | 'azure' }

const cut = (bytes: Buffer): Buffer[] =>
  Array.from({ length: Math.ceil(bytes.length / partBytes) }, (_, n) =>
    bytes.subarray(n * partBytes, (n + 1) * partBytes),
  )
async function* whole(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += 64 * 1024) yield bytes.subarray(at, at + 64 * 1024)
}

/** A server whose first organisation keeps its objects there. */
const serverWith = async (body: PutBody): Promise<BenchServer> => {
  const server = await startBenchServer({ ...noCeilings, WEBHOOK_ALLOW_PRIVATE: '1' }, allCores)
  const headers = { cookie: await memberCookie(server) }
  const params = { orgId: server.orgId }
  await createClient({ baseUrl: server.url }).call('portal.storage.put', { params, headers, body: body as never })
  return server
}

const bodyOf = ({ endpoint, accessKeyId, secretAccessKey }: Omit<Place, 'bucket'>): PutBody => ({
  ...{ provider: 's3', endpoint, region: 'us-east-1', bucket, accessKeyId, secretAccessKey },
})

/** MiB a second, medians of rounds that take turns. */
const speeds = async (place: Place): Promise<Record<'sdk' | 'sealed' | 'uploaded', number>> => {
  const http = openHttp()
  const server = await serverWith(bodyOf(place))
  const sdk = openAwsSdk(place)
  const store = new RemoteStore(openS3(http, place), 'bench/')
  const { recipient } = generateIdentity()
  const upload = prepare(size)
  const bytes = Buffer.concat(upload.parts)
  let n = 0
  const sends = {
    sdk: () => seconds(() => sdk.putParts(`bench/sdk_${n++}`, cut(bytes), partsAtOnce)),
    sealed: () =>
      seconds(() => sealWhole(whole(bytes), { store, key: `org_a/sealed_${n++}`, size, recipients: [recipient] })),
    uploaded: () => sendOurs(server, upload),
  }
  const took: Record<keyof typeof sends, number[]> = { sdk: [], sealed: [], uploaded: [] }
  for (let round = 0; round <= rounds; round++)
    for (const [name, send] of Object.entries(sends) as [keyof typeof sends, () => Promise<number>][]) {
      settleDisk()
      const passed = await send()
      if (round > 0) took[name].push(size / MiB / passed)
    }
  sdk.close()
  await server.stop()
  await http.close()
  return { sdk: median(took.sdk), sealed: median(took.sealed), uploaded: median(took.uploaded) }
}

const speed = async (name: string, place: Place): Promise<Figure[]> => {
  const { sdk, sealed, uploaded } = await speeds(place)
  const what = `against @aws-sdk/client-s3, multipart, the same parts, none of that; ${name}`
  return [
    compared(`${size / MiB} MiB sealed, hashed and stored, ${what}`, sealed, sdk, 'MiB/s', { atLeast: 0.7 }),
    compared(`${size / MiB} MiB sent to the service in parts and completed, ${what}`, uploaded, sdk, 'MiB/s', {
      atLeast: 0.7,
    }),
  ]
}

/** Highest resident memory with a small object and with the largest that the contract allows. */
const memory = async (name: string, body: PutBody): Promise<Figure> => {
  const server = await serverWith(body)
  try {
    // What any first uploads bring is there before both.
    const before = prepare(16 * MiB)
    for (let n = 0; n < 16; n++) await sendOurs(server, before)
    const small = await watching(server.pid, () => sendOurs(server, prepare(16 * MiB)))
    const large = await watching(server.pid, () => sendRepeated(server, 2048 * MiB))
    const grown = Math.round(large.peak - small.peak)
    return {
      name: `resident memory at most, 16 MiB and 2 GiB, in ${name}; the latter took ${Math.round(large.result)} s`,
      value: `${grown} MiB more: ${Math.round(small.peak)} and ${Math.round(large.peak)} MiB`,
      goal: 'grows by < 64 MiB',
      met: grown < 64,
    }
  } finally {
    await server.stop()
  }
}

const inAzure = async (): Promise<Figure> => {
  const azurite = await startAzurite(azuriteProgram ?? '')
  const http = openHttp()
  const url = new URL(`${azurite.endpoint}/${bucket}?restype=container`)
  const headers = signAzure({ method: 'PUT', url, headers: { 'content-length': '0' } }, azurite, Date.now())
  await (await http.request(url.href, { method: 'PUT', headers, silenceMs: 60_000 })).body.dump()
  await http.close()
  try {
    const { endpoint, account, key } = azurite
    return await memory('Azurite', { provider: 'azure', endpoint, account, key, container: bucket })
  } finally {
    await azurite.stop()
  }
}

const inS3 = async (name: string, start: () => Promise<Omit<Place, 'bucket'> & { stop(): Promise<void> }>) => {
  const server = await start()
  const http = openHttp()
  try {
    await makeBucket(http, { ...server, bucket })
    return [...(await speed(name, { ...server, bucket })), await memory(name, bodyOf(server))]
  } finally {
    await http.close()
    await server.stop()
  }
}

export const objects: Bench = {
  name: 'Objects at a provider',
  what: 'Two S3 servers that others wrote (where this machine has them) and Azurite, all on this machine, none kept to a core. `npm test -- azure swift` installs what Debian and npm have of it, `npm test -- ceph` the other.',
  async run() {
    if (!hasSdks) throw new Error('`npm test -- azure` installs what this compares with')
    const figures: Figure[] = []
    if (await hasSwift()) figures.push(...(await inS3('Swift', startSwift)))
    if (await hasCeph()) figures.push(...(await inS3('Ceph', startCeph)))
    if (azuriteProgram !== undefined) figures.push(await inAzure())
    return figures
  },
}
