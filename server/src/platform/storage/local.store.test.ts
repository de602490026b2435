import {
  type FileHandle,
  link,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createDurableFiles, type DurableFiles } from './durable-files.ts'
import { LocalStore } from './local.store.ts'
import { pieces, readWhole, refusal } from './place.conformance.ts'
import { coverageRecord, isCovered } from './segment-coverage.ts'
import { describeObjectStore } from './store.conformance.ts'

const filesBelow = async (root: string): Promise<string[]> =>
  (await readdir(root, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

describeObjectStore('local', async () => {
  const root = await mkdtemp(join(tmpdir(), 'local-store-'))
  return {
    store: new LocalStore(root),
    reopen: async () => new LocalStore(root),
    leftovers: () => filesBelow(root),
    close: () => rm(root, { recursive: true }),
  }
})

describe('local store on the disk', () => {
  let root: string
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'local-store-'))
  })
  afterEach(() => rm(root, { recursive: true }))

  /** The real steps, written down in their order. */
  const recording = (): { files: DurableFiles; steps: string[] } => {
    const real = createDurableFiles()
    const steps: string[] = []
    const note = async (step: string, done: Promise<void>) => {
      await done
      steps.push(step)
    }
    const kind = (path: string) => path.slice(root.length + 1).split('/')[0]
    return {
      steps,
      files: {
        syncFile: (file: FileHandle) => note('sync file', real.syncFile(file)),
        openThrough: (path, flags) => real.openThrough(path, flags),
        writeThrough: (...bytes) => note('write through', real.writeThrough(...bytes)),
        publish: (from, to) => note(`publish ${kind(from)} as ${kind(to)}`, real.publish(from, to)),
        ensureFolder: (path, above) => note(`ensure ${kind(path)}`, real.ensureFolder(path, above)),
        syncFolder: (path) => note(`sync folder ${kind(path)}`, real.syncFolder(path)),
        remove: (path) => note(`remove ${kind(path)}`, real.remove(path)),
      },
    }
  }

  it('a put flushes the bytes, then names them, then flushes the folder, and only then resolves', async () => {
    const { files, steps } = recording()
    await new LocalStore(root, files).put('org_a/evd_1', pieces(Buffer.from('x')), { size: 1 })
    expect(steps).toEqual([
      'ensure incoming',
      'sync file',
      'ensure objects',
      'publish incoming as objects',
      'remove incoming',
      'sync folder objects',
    ])
  })

  it('a part is remembered as written only when its bytes are durable; finish flushes before it names', async () => {
    const { files, steps } = recording()
    const map = async () => readFile((await filesBelow(root)).find((path) => path.endsWith('.map'))!, 'utf8')
    const written = Promise.withResolvers<void>()
    const writing = Promise.withResolvers<void>()
    const held: DurableFiles['writeThrough'] = async (...bytes) => {
      writing.resolve()
      await written.promise
      await files.writeThrough(...bytes)
    }
    const writer = await new LocalStore(root, { ...files, writeThrough: held }).openSegmented('org_a/evd_1', {
      size: 3,
    })
    steps.length = 0
    const write = writer.writeAt(0, [Buffer.from('abc')])
    await writing.promise
    await writer.sync()
    expect(isCovered(await map(), 3)).toBe(false)
    written.resolve()
    await write
    await writer.sync()
    expect(isCovered(await map(), 3)).toBe(true)
    await writer.finish()
    expect(steps.slice(0, 5)).toEqual([
      'write through',
      'sync file',
      'ensure objects',
      'publish segments as objects',
      'sync folder objects',
    ])
  })

  it('a writer knows that it is alone until another one writes, and one that comes later knows nothing', async () => {
    const open = () => new LocalStore(root).openSegmented('org_a/evd_1', { size: 1_000_000 })
    const first = await open()
    const second = await open()
    expect(await first.isUntouched(0, 1_000_000)).toBe(true)
    await first.writeAt(0, [Buffer.alloc(10)])
    await first.sync()
    expect(await first.isUntouched(0, 10)).toBe(false)
    expect(await first.isUntouched(10, 100)).toBe(true)
    await second.writeAt(500_000, [Buffer.from('x')])
    expect(await first.isUntouched(10, 100)).toBe(false)
    expect(await second.isUntouched(10, 100)).toBe(false)
    const later = await open()
    expect(await later.isUntouched(10, 100)).toBe(false)
    for (const writer of [first, second, later]) await writer.close()
  })

  it('bytes that came through a power cut without their record are never taken for untouched, and can be confirmed', async () => {
    const open = () => new LocalStore(root).openSegmented('org_a/evd_1', { size: 3 })
    const before = await open()
    await before.writeAt(0, [Buffer.from('abc')])
    await before.sync()
    await before.close()
    await truncate((await filesBelow(root)).find((path) => path.endsWith('.map'))!, 0)
    const after = await open()
    expect(await after.isUntouched(0, 3)).toBe(false)
    await expect(after.finish()).rejects.toEqual(refusal('incomplete'))
    after.confirm()
    await after.finish()
    expect((await readWhole(new LocalStore(root), 'org_a/evd_1')).toString()).toBe('abc')
    expect(await filesBelow(root)).toHaveLength(1)
  })

  it('bytes whose flush failed count as never written', async () => {
    const real = createDurableFiles()
    let fail = true
    const files: DurableFiles = {
      ...real,
      async writeThrough(...bytes) {
        await real.writeThrough(...bytes)
        if (fail) throw new Error('EIO')
      },
    }
    const writer = await new LocalStore(root, files).openSegmented('org_a/evd_1', { size: 3 })
    await expect(writer.writeAt(0, [Buffer.from('abc')])).rejects.toThrow('EIO')
    await writer.sync()
    fail = false
    await expect(writer.finish()).rejects.toEqual(refusal('incomplete'))
    await writer.writeAt(0, [Buffer.from('abc')])
    await writer.finish()
    expect((await readWhole(new LocalStore(root), 'org_a/evd_1')).toString()).toBe('abc')
  })

  it('files are readable by their owner only, and so are folders', async () => {
    const store = new LocalStore(root)
    await store.put('org_a/evd_1', pieces(Buffer.from('x')), { size: 1 })
    const writer = await store.openSegmented('org_a/evd_2', { size: 5 })
    for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
      const { mode } = await stat(join(entry.parentPath, entry.name))
      expect(mode & 0o777).toBe(entry.isDirectory() ? 0o700 : 0o600)
    }
    await writer.close()
  })

  it('a kill between naming the object and removing its unfinished files is tidied up by finishing again', async () => {
    const store = new LocalStore(root)
    const writer = await store.openSegmented('org_a/evd_1', { size: 3 })
    await writer.writeAt(0, [Buffer.from('abc')])
    await writer.sync()
    await writer.close()
    const part = (await filesBelow(root)).find((path) => path.endsWith('.part'))!
    const object = part.replace('/segments/', '/objects/').replace(/\.part$/, '')
    await mkdir(join(object, '..'), { recursive: true })
    await link(part, object)
    const late = await new LocalStore(root).openSegmented('org_a/evd_1', { size: 3 })
    expect(late.finished).toBe(true)
    await late.finish()
    expect(await filesBelow(root)).toEqual([object])
  })

  it.each(['at once', 'one after the other'])('two processes that finish one object %s both succeed', async (when) => {
    const writers = await Promise.all([1, 2].map(() => new LocalStore(root).openSegmented('org_a/evd_1', { size: 3 })))
    await writers[0]!.writeAt(0, [Buffer.from('abc')])
    await writers[0]!.sync()
    if (when === 'at once') await Promise.all(writers.map((writer) => writer.finish()))
    else for (const writer of writers) await writer.finish()
    expect((await readWhole(new LocalStore(root), 'org_a/evd_1')).toString()).toBe('abc')
    expect(await filesBelow(root)).toHaveLength(1)
  })

  it('what a killed put left is removed once it is old enough, and nothing younger', async () => {
    const store = new LocalStore(root)
    await store.put('org_a/evd_1', pieces(Buffer.from('x')), { size: 1 })
    const old = join(root, 'incoming', 'old.tmp')
    const young = join(root, 'incoming', 'young.tmp')
    await writeFile(old, 'x')
    await writeFile(young, 'x')
    await utimes(old, 1000, 1000)
    await utimes(young, 3000, 3000)
    expect(await store.removeStaleTemporaries(2_000_000)).toBe(1)
    expect(await readdir(join(root, 'incoming'))).toEqual(['young.tmp'])
    expect(await store.exists('org_a/evd_1')).toBe(true)
  })
})

describe('coverage map', () => {
  const record = (start: number, end: number) => coverageRecord({ start, end })

  it('covers when spans touch or overlap, in any order, and not with a gap', () => {
    expect(isCovered(record(5, 10) + record(0, 5), 10)).toBe(true)
    expect(isCovered(record(0, 8) + record(3, 10), 10)).toBe(true)
    expect(isCovered(record(0, 4) + record(5, 10), 10)).toBe(false)
    expect(isCovered(record(0, 9), 10)).toBe(false)
    expect(isCovered('', 10)).toBe(false)
  })

  it('a record cut at any place counts as not written and does not spoil the next one', () => {
    const whole = record(0, 5).trimEnd()
    for (let cut = 0; cut < whole.length; cut++) {
      expect(isCovered(whole.slice(0, cut) + record(5, 10), 10)).toBe(false)
      expect(isCovered(whole.slice(0, cut) + record(0, 10), 10)).toBe(true)
    }
  })
})
