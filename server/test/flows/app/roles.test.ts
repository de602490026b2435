import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../../src/platform/clock.ts'
import { createFilmEngine } from '../../../src/platform/film/film-engine.ts'
import { buildCaptureSession } from '../../test-support/capture-session.ts'
import { packedStill, sendPack } from '../../test-support/packs.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { reelsOf } from '../reels/reels.test-support.ts'

describe('a process of the role web', () => {
  let server: TestServer
  beforeAll(async () => {
    const films = createFilmEngine({ ffmpegPath: undefined }, systemClock)
    server = await startServer({ env: { ROLE: 'web' }, overrides: { films } })
  })
  afterAll(() => server.stop())
  const t = reelsOf(() => server)

  it('leaves jobs that decode to others, tells how many wait, and runs the rest', async () => {
    const s = await buildCaptureSession(server)
    await sendPack(s, [await packedStill(server)])
    await t.ofKey(s, 'screen:d1', { size: 'small' })
    await server.processAll()
    const waiting = await server.app.db.reader.all<{ kind: string }>(
      `SELECT kind FROM jobs WHERE state = 'queued' AND attempts = 0 AND run_at <= ?`,
      [server.clock.now()],
    )
    expect(waiting.map(({ kind }) => kind)).toEqual(['evidence.make_beside'])
    expect((await server.app.metrics.render()).text).toMatch(/^jobs_waiting 1$/m)
    const small = await t.ofKey(s, 'screen:d1', { size: 'small' })
    expect(small.frames.map(({ head }) => head.absent)).toEqual(['being_made'])
  })
})
