import { existsSync } from 'node:fs'
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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
} from '../../../test/test-support/film-fixtures.ts'
import { until } from '../../../test/test-support/until.ts'
import type { FilmOptions, FilmPlan } from './film.types.ts'
import { renderInProcess } from './film-process.ts'

let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'film-process-'))
})
afterAll(() => rm(directory, { recursive: true, force: true }))

const render = (plan: FilmPlan, overrides: Partial<FilmOptions> = {}) =>
  renderInProcess(plan, {
    ffmpeg: ffmpeg ?? { path: 'ffmpeg', version: 'none' },
    tempDir: join(directory, 'tmp'),
    signal: new AbortController().signal,
    onProgress: () => undefined,
    ...overrides,
  })

const onLinux = process.platform === 'linux'
/** Processes of this one that render a film. */
const renderers = async (): Promise<number[]> => {
  const tasks = await readdir(`/proc/${process.pid}/task`)
  const lists = await Promise.all(
    tasks.map((task) => readFile(`/proc/${process.pid}/task/${task}/children`, 'utf8').catch(() => '')),
  )
  const found: number[] = []
  for (const pid of lists.join(' ').split(' ').filter(Boolean).map(Number)) {
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
    if (command.includes('film-process.worker')) found.push(pid)
  }
  return found
}
/** The most memory that a process ever held, MiB. */
const peakOf = async (pid: number): Promise<number> =>
  Number(/VmHWM:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

const long = async () =>
  buildPlan({ durationMs: 3_600_000, screen: [buildItem('still', [0, 3_600_000], await makeStill('teal'))] })

describe.skipIf(!ffmpeg)('a film that is rendered in a process of its own', () => {
  it('comes back whole, and its process is gone with it', async () => {
    const screen = [buildItem('still', [0, 2000], await makeStill('teal'))]
    const progress: number[] = []
    const plan = buildPlan({ screen, sound: [buildSound(0, 2000, await makeTone(440, 2))] })
    const film = await render(plan, { onProgress: (done) => progress.push(done) })
    expect(film).toMatchObject({ durationMs: 2000, width: 1280, height: 720, undecoded: [] })
    const bytes = await filmBytes(film)
    expect(bytes).toHaveLength(film.sizeBytes)
    expect(bytes.toString('latin1', 4, 8)).toBe('ftyp')
    expect(progress.at(-1)).toBe(1)
    await film.discard()
    if (onLinux) expect(await renderers()).toEqual([])
  })

  it('ends with the error of an item that cannot be read', async () => {
    const broken = new Error('the store is gone')
    const item = buildItem('still', [0, 2000], await makeStill('teal'))
    const read = async function* () {
      yield Buffer.alloc(1)
      throw broken
    }
    await expect(render(buildPlan({ screen: [{ ...item, read }] }))).rejects.toBe(broken)
  })

  it('says by its code what the renderer refused', async () => {
    await expect(render(buildPlan({ durationMs: 0 }))).rejects.toMatchObject({ code: 'invalid_plan' })
  })

  it.skipIf(!onLinux)('that was killed is an error in words, and this process goes on', async () => {
    const { promise: underWay, resolve } = Promise.withResolvers<void>()
    const film = render(await long(), { onProgress: () => resolve() })
    await underWay
    const [pid] = await renderers()
    process.kill(pid!, 'SIGKILL')
    await expect(film).rejects.toMatchObject({
      code: 'process_ended',
      message: 'the process that renders ended with SIGKILL before the film was done',
    })
  })

  it.skipIf(!onLinux)('whose encoder waits for ever ends at its deadline, with all its processes', async () => {
    const stuck = join(directory, 'stuck-ffmpeg')
    const log = join(directory, 'stuck.log')
    await writeFile(stuck, `#!/bin/sh\necho $$ >> ${log}\nexec sleep 100000\n`)
    await chmod(stuck, 0o755)
    const program = { path: stuck, version: 'stuck' }
    await expect(render(await long(), { ffmpeg: program, deadlineMs: 5000 })).rejects.toMatchObject({
      code: 'too_long',
    })
    expect(await renderers()).toEqual([])
    for (const pid of (await readFile(log, 'utf8')).trim().split('\n')) await until(() => !existsSync(`/proc/${pid}`))
  })

  it.skipIf(!onLinux)('that nobody wants any more leaves no process', async () => {
    const stop = new AbortController()
    const { promise: underWay, resolve } = Promise.withResolvers<void>()
    const film = render(await long(), { signal: stop.signal, onProgress: () => resolve() })
    await underWay
    stop.abort(new Error('not wanted'))
    await expect(film).rejects.toThrow('not wanted')
    expect(await renderers()).toEqual([])
  })

  it.skipIf(!onLinux)('takes less than 300 MiB for large stills and sound, and none of the settings', async () => {
    const still = await sharp({ create: { width: 3840, height: 2160, channels: 3, background: 'teal' } })
      .webp()
      .toBuffer()
    const tone = await makeTone(440, 10)
    const each = Array.from({ length: 30 }, (_, n) => n)
    const plan = buildPlan({
      durationMs: 60_000,
      screen: each.map((n) => buildItem('still', [n * 2000, n * 2000 + 2000], still)),
      corner: each.map((n) => buildItem('still', [n * 2000 + 1000, n * 2000 + 3000], still)),
      sound: [0, 1, 2, 3, 4, 5].map((n) => buildSound(n * 10_000, 10_000, tone)),
    })
    process.env['MASTER_KEY_CANARY'] = 'secret'
    const film = await render(plan)
    delete process.env['MASTER_KEY_CANARY']
    const [pid] = await renderers()
    expect(await readFile(`/proc/${pid}/environ`, 'utf8')).not.toContain('MASTER_KEY_CANARY')
    expect(await peakOf(pid!)).toBeLessThan(300)
    await film.discard()
  })
})
