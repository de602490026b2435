import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readdir, readFile, readlink, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  buildItem,
  buildPlan,
  buildSound,
  ffmpeg,
  filmBytes,
  makeStill,
  makeTone,
  startRender,
} from '../../../test/test-support/film-fixtures.ts'
import { FilmError } from './film-error.ts'
import { clearFilmTemp } from './render-film.ts'

let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'film-life-'))
})
afterAll(() => rm(directory, { recursive: true, force: true }))

const left = () => readdir(join(directory, 'tmp'))
const onLinux = process.platform === 'linux'

/** Names of the programs that a process started and that still run, or were not waited for. */
const childrenOf = async (pid: number): Promise<string[]> => {
  const tasks = await readdir(`/proc/${pid}/task`)
  const lists = await Promise.all(tasks.map((task) => readFile(`/proc/${pid}/task/${task}/children`, 'utf8')))
  const pids = lists.join(' ').split(' ').filter(Boolean)
  return Promise.all(pids.map((child) => readFile(`/proc/${child}/comm`, 'utf8').then((name) => name.trim())))
}

/** An hour; nobody waits for its end. */
const longPlan = async () =>
  buildPlan({ durationMs: 3_600_000, screen: [buildItem('still', [0, 3_600_000], await makeStill('teal'))] })

describe.skipIf(!ffmpeg)('a render that is stopped', () => {
  it.skipIf(!onLinux)('rejects with the reason, and leaves no child and no file', async () => {
    const stop = new AbortController()
    const reason = new Error('nobody wants it any more')
    const { promise: isUnderWay, resolve } = Promise.withResolvers<void>()
    const render = startRender(await longPlan(), directory, { signal: stop.signal, onProgress: () => resolve() })
    await isUnderWay
    expect(await childrenOf(process.pid)).toContain('ffmpeg')
    stop.abort(reason)
    await expect(render).rejects.toBe(reason)
    expect(await childrenOf(process.pid)).not.toContain('ffmpeg')
    expect(await left()).toEqual([])
  })

  it('does not begin when it was stopped before', async () => {
    const reason = new Error('stopped before')
    await expect(startRender(await longPlan(), directory, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
  })

  it('stops even while the bytes of an item do not come', async () => {
    const stop = new AbortController()
    const { promise: isAsked, resolve } = Promise.withResolvers<void>()
    const waiting = buildItem('still', [0, 2000], await makeStill('teal'), {
      read: async function* () {
        resolve()
        await new Promise(() => undefined)
        yield Buffer.alloc(0)
      },
    })
    const render = startRender(buildPlan({ screen: [waiting] }), directory, { signal: stop.signal })
    await isAsked
    stop.abort(new Error('enough'))
    await expect(render).rejects.toThrow('enough')
    expect(await left()).toEqual([])
  })
})

describe.skipIf(!ffmpeg)('a render that fails', () => {
  const unreadable = async function* () {
    yield Buffer.from('\x1a\x45\xdf\xa3\0\0\0\0\0\0\0\0', 'latin1')
    throw new Error('the store is away')
  }
  it.each(['still', 'clip'] as const)('gives on why the bytes of a %s could not be read', async (kind) => {
    const item = buildItem(kind, [0, 2000], Buffer.alloc(20_000), { read: unreadable })
    await expect(startRender(buildPlan({ corner: [item] }), directory)).rejects.toThrow('the store is away')
    expect(await left()).toEqual([])
  })
  it('gives on why the bytes of a sound could not be read', async () => {
    const sound = { ...buildSound(0, 2000, Buffer.alloc(20_000)), read: unreadable }
    await expect(startRender(buildPlan({ sound: [sound] }), directory)).rejects.toThrow('the store is away')
  })

  it.skipIf(!onLinux)('says what the encoder said last', async () => {
    const path = join(directory, 'failing-encoder')
    await writeFile(path, '#!/bin/sh\nhead -c 5000 /dev/zero | tr "\\0" x >&2\necho "no more memory" >&2\nexit 3\n')
    await chmod(path, 0o700)
    const error = await startRender(await longPlan(), directory, { ffmpeg: { path, version: 'ffmpeg 0' } }).catch(
      (reason: unknown) => reason,
    )
    expect(error).toBeInstanceOf(FilmError)
    const { code, message } = error as FilmError
    expect(code).toBe('encoder_failed')
    expect(message).toContain('ended with 3')
    expect(message).toContain('no more memory')
    expect(message.length).toBeLessThan(2200)
    expect(await left()).toEqual([])
  })

  it('says so when there is no such encoder', async () => {
    const missing = { path: join(directory, 'no-such-program'), version: 'ffmpeg 0' }
    await expect(startRender(await longPlan(), directory, { ffmpeg: missing })).rejects.toMatchObject({
      code: 'encoder_failed',
    })
  })

  it.each([
    ['no length', { durationMs: 0 }, undefined],
    ['a length that is no number', { durationMs: Number.NaN }, undefined],
    ['more than a day', { durationMs: 25 * 3_600_000 }, undefined],
    ['odd sides', {}, { width: 321, height: 180, framesPerSecond: 10 }],
    ['no frames', {}, { width: 320, height: 180, framesPerSecond: 0 }],
  ])('refuses a plan with %s', async (_, overrides, frame) => {
    await expect(startRender(buildPlan(overrides), directory, { frame })).rejects.toMatchObject({
      code: 'invalid_plan',
    })
  })
})

describe.skipIf(!ffmpeg || !onLinux)('a process that is killed while it renders', () => {
  /** The bytes of the file without a name that a process writes. */
  const namelessFile = async (pid: number): Promise<Buffer | undefined> => {
    for (const descriptor of await readdir(`/proc/${pid}/fd`)) {
      const path = `/proc/${pid}/fd/${descriptor}`
      const target = await readlink(path).catch(() => '')
      if (target.includes('/film-') && target.endsWith('.sealed (deleted)')) return readFile(path)
    }
    return undefined
  }
  const startChild = async (): Promise<ChildProcess> => {
    const module = fileURLToPath(new URL('../../../test/test-support/film-process.ts', import.meta.url))
    const child = fork(module, [directory], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
    await once(child, 'message')
    return child
  }

  it('leaves no file, and on the disk were only sealed bytes', async () => {
    // What the encoder writes names itself in the clear, so the search can find something.
    const noise = await sharp({
      create: {
        width: 320,
        height: 180,
        channels: 3,
        background: '#888',
        noise: { type: 'gaussian', mean: 128, sigma: 40 },
      },
    })
      .png()
      .toBuffer()
    const film = await startRender(buildPlan({ screen: [buildItem('still', [0, 2000], noise)] }), directory)
    expect((await filmBytes(film)).includes('x264')).toBe(true)
    const inHand = await namelessFile(process.pid)
    expect(inHand?.length).toBeGreaterThan(10_000)
    expect(inHand?.includes('x264')).toBe(false)
    await film.discard()
    expect(await namelessFile(process.pid)).toBeUndefined()

    const child = await startChild()
    expect(await namelessFile(child.pid as number)).toBeDefined()
    child.kill('SIGKILL')
    await once(child, 'exit')
    expect(await left()).toEqual([])
  })
})

describe('clearFilmTemp', () => {
  it('removes what a killed process left, and nothing else', async () => {
    const folder = join(directory, 'tmp')
    await rm(folder, { recursive: true, force: true })
    await clearFilmTemp(folder)
    const { SealedFile } = await import('./sealed-file.ts')
    const inUse = await SealedFile.create(folder)
    await writeFile(join(folder, 'film-0.sealed'), 'x')
    await writeFile(join(folder, 'notes.txt'), 'x')
    await clearFilmTemp(folder)
    expect(await readdir(folder)).toEqual(['notes.txt'])
    expect((await stat(folder)).mode & 0o777).toBe(0o700)
    await inUse.append(Buffer.from('still here'))
    await inUse.finish()
    const pieces: Buffer[] = []
    for await (const piece of inUse.read()) pieces.push(piece)
    expect(Buffer.concat(pieces).toString()).toBe('still here')
    await inUse.discard()
    await rm(folder, { recursive: true })
  })
})

describe.skipIf(!ffmpeg)('memory', () => {
  it('does not grow with the length of the film', async () => {
    const [still, tone] = [await makeStill('#b0c4de', 320, 180), await makeTone(300, 10)]
    const peakOf = async (seconds: number): Promise<number> => {
      const plan = buildPlan({
        durationMs: seconds * 1000,
        screen: Array.from({ length: seconds / 5 }, (_, n) => buildItem('still', [n * 5000, n * 5000 + 5000], still)),
        sound: Array.from({ length: seconds / 30 }, (_, n) => buildSound(n * 30_000, 10_000, tone)),
      })
      let peak = 0
      const onProgress = () => {
        peak = Math.max(peak, process.memoryUsage().rss)
      }
      const frame = { width: 160, height: 90, framesPerSecond: 4 }
      await (await startRender(plan, directory, { onProgress, frame })).discard()
      return peak / 2 ** 20
    }
    const short = await peakOf(60)
    expect((await peakOf(600)) - short).toBeLessThan(64)
  })
})
