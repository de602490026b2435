import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../../src/platform/clock.ts'
import { createFilmEngine } from '../../../src/platform/film/film-engine.ts'
import { buildCaptureSession, type CaptureSession } from '../../test-support/capture-session.ts'
import { enginesInTurn } from '../../test-support/engines.ts'
import { ffmpeg, makeTone } from '../../test-support/film-fixtures.ts'
import { createScriptedFilms, type ScriptedFilms } from '../../test-support/films.ts'
import { packedSound, sendPack } from '../../test-support/packs.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { reelsOf } from '../reels/reels.test-support.ts'
import { compositionsOf } from './compositions.test-support.ts'
import { endSession, sendStill } from './film-session.ts'

const decodableOf = async (s: CaptureSession, id: string) =>
  (await s.api.call('evidence.get', { params: { id } })).data.decodable

for (const engine of enginesInTurn(import.meta.filename)) {
  describe(`a film of which decoders were ended from outside (${engine})`, () => {
    let server: TestServer
    let films: ScriptedFilms
    beforeAll(async () => {
      films = createScriptedFilms()
      server = await startServer({ engine, overrides: { films } })
    })
    afterAll(() => server.stop())
    const { read, render } = compositionsOf(() => server)
    const build = async () => {
      const s = await buildCaptureSession(server)
      const { id } = await sendStill(server, s)
      server.clock.advance(1000)
      await endSession(s)
      films.decodes = 'killed'
      await render(s)
      await server.processAll()
      return { s, id }
    }
    const later = async () => {
      server.clock.advance(3_600_000)
      await server.processAll()
    }

    it('is rendered again, and is as if nothing had been', async () => {
      const { s, id } = await build()
      expect((await read(s)).status).toBe('rendering')
      expect(films.open).toBe(0)
      films.decodes = true
      await later()
      expect(await read(s)).toMatchObject({ status: 'ready', undecoded: [] })
      expect(await decodableOf(s, id)).not.toBe(false)
    })

    it('is ready after the third time, says what is missing, and holds it against no item', async () => {
      const before = films.renders.length
      const { s, id } = await build()
      await later()
      await later()
      await later()
      expect(films.renders.length - before).toBe(3)
      expect(await read(s)).toMatchObject({ status: 'ready', undecoded: [{ evidenceId: id, kind: 'still' }] })
      expect(await decodableOf(s, id)).not.toBe(false)
    })
  })

  describe.skipIf(!ffmpeg || process.platform === 'win32')(`levels of sound (${engine})`, () => {
    let server: TestServer
    let directory: string
    let memory: string
    beforeAll(async () => {
      directory = await mkdtemp(join(tmpdir(), 'killed-'))
      memory = join(directory, 'no-memory')
      const path = join(directory, 'ffmpeg')
      const script = `case "$*" in -hide_banner\\ -nostdin*) [ -e ${memory} ] && kill -9 $$ ;; esac`
      await writeFile(path, `#!/bin/sh\n${script}\nexec ${ffmpeg?.path} "$@"\n`)
      await chmod(path, 0o755)
      server = await startServer({
        engine,
        overrides: { films: createFilmEngine({ ffmpegPath: path }, systemClock) },
      })
    })
    afterAll(async () => {
      await server.stop()
      await rm(directory, { recursive: true })
    })
    const t = reelsOf(() => server)
    const told = async (s: CaptureSession) =>
      (await t.ofKey(s, 'microphone', { from: 0, size: 'levels' })).frames.map(
        ({ head, body }) => head.absent ?? body.length > 0,
      )
    const sound = async (body: Buffer) => {
      const s = await t.session()
      const [sent] = await sendPack(s, [
        packedSound(server, { sequence: 0, contentType: 'audio/webm', durationMs: 2000, body }),
      ])
      return { s, id: sent!.evidence!.id }
    }

    it('are made later where the decoder was ended from outside', async () => {
      const { s, id } = await sound(await makeTone(440, 2))
      await writeFile(memory, '')
      expect(await told(s)).toEqual(['being_made'])
      await server.processAll()
      expect(await told(s)).toEqual(['being_made'])
      expect(await decodableOf(s, id)).toBe(null)
      await rm(memory)
      server.clock.advance(3_600_000)
      await server.processAll()
      expect(await told(s)).toEqual([true])
      expect(await decodableOf(s, id)).toBe(null)
    })

    it('are made of what is spoiled in its middle, which is marked', async () => {
      const tone = await makeTone(440, 2)
      const { s, id } = await sound(
        Buffer.from(tone).fill(0, Math.round(tone.length * 0.4), Math.round(tone.length * 0.6)),
      )
      await told(s)
      await server.processAll()
      expect(await told(s)).toEqual([true])
      expect(await decodableOf(s, id)).toBe(false)
    })
  })
}
