import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createHttpOut } from '../../../src/platform/http-out/http-out.ts'
import { signAzure } from '../../../src/platform/storage/remote/azure.signature.ts'
import { azuriteProgram, startAzurite } from '../../test-support/azurite.ts'
import { type CaptureSession, picture, sendStill, sha256, storedFiles } from '../../test-support/capture-session.ts'
import { describeEachDatabase } from '../../test-support/databases.ts'
import { startS3Double } from '../../test-support/s3-double.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { uploadsOf } from '../uploads/uploads.test-support.ts'
import { inDouble, type PutBody, storageOf } from './storage.test-support.ts'

/** An object store whose whole content a test can look at. */
interface Looked {
  readonly body: PutBody
  /** Every name there, of objects and of what is unfinished. */
  names(): Promise<string[]>
  /** All that is there, as bytes in one: names, what is said about them, and themselves. */
  everything(): Promise<Buffer>
  stop(): Promise<void>
}

const openS3 = async (): Promise<Looked> => {
  const double = await startS3Double()
  const unfinished = () => [...double.uploads.keys()].map((id) => double.begun.get(id)?.name ?? '')
  return {
    body: inDouble(double, { prefix: 'interviews' }),
    names: () => Promise.resolve([...double.objects.keys(), ...unfinished()]),
    everything: () =>
      Promise.resolve(
        Buffer.concat([
          Buffer.from([...double.objects].map(([name, { putId }]) => `${name} ${putId}\n`).join('')),
          ...[...double.objects.values()].map(({ bytes }) => bytes),
          ...[...double.uploads.values()].flatMap((parts) => [...parts.values()]),
          // What was ever asked, too: a provider may keep a log.
          ...double.asks.flatMap(({ method, path, query, headers, body }) => [
            Buffer.from(`${method} ${path} ${query} ${JSON.stringify(headers)}\n`),
            body,
          ]),
        ]),
      ),
    stop: () => double.stop(),
  }
}

const openAzure = async (): Promise<Looked> => {
  const azurite = await startAzurite(azuriteProgram ?? '')
  const http = createHttpOut({ allowPrivate: true, isInTransaction: () => false })
  const container = `${azurite.endpoint}/evidence`
  const ask = async (method: 'GET' | 'PUT', address: string) => {
    const url = new URL(address)
    const length: Record<string, string> = method === 'PUT' ? { 'content-length': '0' } : {}
    const headers = signAzure({ method, url, headers: length }, azurite, Date.now())
    const answer = await http.request(url.href, { method, headers, silenceMs: 60_000 })
    return { text: JSON.stringify(answer.headers), bytes: Buffer.from(await answer.body.arrayBuffer()) }
  }
  await ask('PUT', `${container}?restype=container`)
  const list = () => ask('GET', `${container}?restype=container&comp=list&include=metadata,uncommittedblobs,snapshots`)
  const names = async () =>
    Array.from((await list()).bytes.toString('utf8').matchAll(/<Name>([^<]+)<\/Name>/g), ([, name]) => name ?? '')
  return {
    body: { ...azurite, provider: 'azure', container: 'evidence', prefix: 'interviews' } as PutBody,
    names,
    everything: async () => {
      const blobs = await Promise.all((await names()).map((name) => ask('GET', `${container}/${name}`)))
      return Buffer.concat([(await list()).bytes, ...blobs.flatMap(({ text, bytes }) => [Buffer.from(text), bytes])])
    },
    stop: async () => {
      await http.close()
      await azurite.stop()
    },
  }
}

const stores = [
  ['s3', openS3, true],
  ['azure', openAzure, azuriteProgram !== undefined],
] as const

describeEachDatabase('what is left in an object store of an erased candidate', (_open, engine) => {
  describe.each(stores.filter(([, , there]) => there))('in %s', (_, open) => {
    let server: TestServer
    let store: Looked
    const uploads = uploadsOf(() => server)
    const label = 'Wilhelmina Quartz-Ferreira'
    const word = 'zanzibarquest'
    const perceptual = 'a5c3f00d9b17e264'
    let bytes: Buffer
    let film: ReturnType<typeof uploads.buildItem>
    let unfinished: ReturnType<typeof uploads.buildItem>
    let session: CaptureSession
    let others: string[]

    /** A picture, a film, and a film that never got beyond its first part; each with words and the picture's hash. */
    const capture = async (s: CaptureSession) => {
      await sendStill(server, s, { bytes })
      for (const whole of [true, false]) {
        const item = whole ? film : unfinished
        const { data } = await uploads.beginRaw(s, item, {
          metadata: { displayId: word, hash: perceptual, title: label },
        })
        if (!('uploadId' in data)) throw new Error('it is here already')
        for (const index of whole ? [0, 1, 2] : [0])
          await uploads.sendPart(s, data.uploadId, index, uploads.partOf(item, index))
        if (whole) await uploads.complete(s, data.uploadId)
      }
    }
    /** Of what became evidence, and of what never did: the unfinished film, and parts. */
    const hashes = () => ({
      kept: [bytes, film.bytes].map(sha256),
      gone: [unfinished.bytes, uploads.partOf(film, 0), uploads.partOf(film, 2), uploads.partOf(unfinished, 0)].map(
        sha256,
      ),
    })
    const traces = (): (readonly [string, Buffer])[] => [
      ...[label, word, perceptual].map((text) => [text, Buffer.from(text)] as const),
      ...Object.values(hashes())
        .flat()
        .flatMap((hash) => {
          const raw = Buffer.from(hash, 'hex')
          return [Buffer.from(hash), raw, Buffer.from(raw.toString('base64'))].map((form) => [hash, form] as const)
        }),
      ['the picture', bytes.subarray(100, 132)],
      ['the film', film.bytes.subarray(1_000_000, 1_000_032)],
    ]
    const found = async () => {
      const there = await store.everything()
      return traces().flatMap(([name, trace]) => (there.includes(trace) ? [name] : []))
    }
    /** Columns of the database that hold any of these texts. */
    const columnsWith = async (texts: readonly string[]): Promise<string[]> => {
      const { reader } = server.app.db
      const tables = await reader.all<{ name: string }>(
        engine === 'sqlite'
          ? "SELECT name FROM sqlite_master WHERE type = 'table'"
          : 'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = current_schema()',
      )
      const columns = new Set<string>()
      for (const { name } of tables)
        for (const row of await reader.all<Record<string, unknown>>(`SELECT * FROM ${name}`))
          for (const [column, value] of Object.entries(row))
            if (texts.some((text) => String(value).includes(text))) columns.add(`${name}.${column}`)
      return [...columns].sort()
    }

    beforeAll(async () => {
      store = await open()
      server = await startServer({ engine })
      await storageOf(server).put(store.body)
      bytes = await picture()
      film = uploads.buildItem()
      unfinished = uploads.buildItem()
      await sendStill(server, await uploads.session())
      others = await store.names()
      session = await uploads.session({ candidateLabel: label })
      await capture(session)
    })
    afterAll(async () => {
      await server.stop()
      await store.stop()
    })

    it('before, the objects are there, and nothing of what they are can be found in them', async () => {
      expect((await store.names()).length).toBe(others.length + 2)
      expect(await found()).toEqual([])
      for (const text of [label, word, perceptual, ...Object.values(hashes()).flat()])
        expect(await columnsWith([text]), text).not.toEqual([])
      expect((await storedFiles(server, 'segments')).length).toBeGreaterThan(0)
    })

    it('after, nothing lies there, here or on its way but what is of others', async () => {
      await session.api.call('sessions.end', { params: { id: session.id } })
      await session.api.call('sessions.erase', { params: { id: session.id } })
      await server.processAll()
      expect(await store.names()).toEqual(others)
      expect(await found()).toEqual([])
      expect(await storedFiles(server)).toEqual([])
    })

    it('after, the database keeps no word and no likeness; the hash of its bytes stays in the tombstone alone', async () => {
      expect(await columnsWith([label, word, perceptual, ...hashes().gone])).toEqual([])
      expect(await columnsWith(hashes().kept)).toEqual(['evidence.sha256', 'objects.sha256'])
    })
  })
})
