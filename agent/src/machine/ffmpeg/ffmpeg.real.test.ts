import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { canRunWith } from '../../../test/test-support/virtual-desktop.ts'
import { findFfmpeg, parseFfmpegList, probeFfmpeg, requireFfmpeg } from './ffmpeg.ts'

describe('finding ffmpeg', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ffmpeg-'))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  it('prefers FFMPEG_PATH, and passes over one that is not there', async () => {
    const own = join(folder, 'my-ffmpeg')
    await writeFile(own, '#!/bin/sh\nexit 3\n', { mode: 0o755 })
    expect(findFfmpeg({ ...process.env, FFMPEG_PATH: own })).toBe(own)
    expect(findFfmpeg({ ...process.env, FFMPEG_PATH: join(folder, 'gone') })).not.toBe(join(folder, 'gone'))
  })

  it('does not take a program that cannot list its encoders for ffmpeg', async () => {
    const own = join(folder, 'not-ffmpeg')
    await writeFile(own, '#!/bin/sh\nexit 3\n', { mode: 0o755 })
    const env = { ...process.env, FFMPEG_PATH: own }
    expect(await probeFfmpeg(env)).toBeUndefined()
    expect(await requireFfmpeg({}, env)).toMatchObject({ ok: false, reason: 'not_observable' })
  })

  it.skipIf(!canRunWith('ffmpeg probe', ['ffmpeg']))('knows what the installed one can do', async () => {
    const env = { PATH: process.env['PATH'] }
    expect(await requireFfmpeg({ encoders: ['libopus'] }, env)).toEqual({ ok: true })
    const missing = await requireFfmpeg({ encoders: ['libopus', 'no_such_encoder'] }, env)
    expect(missing).toEqual({ ok: false, reason: 'not_observable', detail: 'ffmpeg has no encoder no_such_encoder' })
  })

  it('reads the lists of encoders and devices', () => {
    const encoders =
      ' V..... = Video\n ------\n V....D libx264              libx264 H.264\n A..... libopus              Opus\n'
    expect([...parseFfmpegList(encoders)]).toEqual(expect.arrayContaining(['libx264', 'libopus']))
    const devices =
      ' D. = Demuxing\n --\n DE pulse           Pulse audio\n D  x11grab         X11\n DE video4linux2,v4l2 Video4Linux2\n'
    expect([...parseFfmpegList(devices)]).toEqual(expect.arrayContaining(['pulse', 'x11grab', 'v4l2']))
  })
})
