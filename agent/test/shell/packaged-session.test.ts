import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type StagedApp, stageApp } from '../../build/stage-app.ts'
import type { WindowState } from '../../src/shared/ipc/window-state.ts'
import { World } from '../end-to-end/world.ts'
import { until } from '../test-support/until.ts'
import { PackagedProcess } from './packaged-agent.ts'

let folder: string
let staged: StagedApp
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'packaged-session-'))
  staged = await stageApp(join(folder, 'stage'), { platform: process.platform, archs: [process.arch] })
})
afterAll(() => rm(folder, { recursive: true, force: true }))

describe('the application as it is shipped', () => {
  it('goes from a code to the end of a session on a real server, and everything is sent', async () => {
    const world = await World.start()
    const app = new PackagedProcess(staged.appDir, join(folder, 'data'))
    try {
      const { data: session } = await world.api.call('sessions.create', { body: { externalId: 'packed' } })
      const link = { params: { id: session.id }, body: { role: 'candidate' } } as const
      const { data } = await world.api.call('sessions.joinLinks.create', link)
      await app.line()
      const reaches = (screen: WindowState['screen']): Promise<void> =>
        until(`the screen ${screen}`, async () => (await app.state()).screen === screen)
      expect(await app.command('session.join', { code: data.joinCode, server: world.serverUrl })).toEqual({
        done: true,
      })
      await reaches('consent')
      const { document } = (await app.state()).consent!
      const answers = Object.fromEntries(document.lanes.map(({ lane }) => [lane, true]))
      expect(await app.command('consent.agree', { hash: document.hash, answers })).toEqual({ done: true })
      await reaches('check')
      expect(await app.command('check.done')).toEqual({ done: true })
      await reaches('recording')
      expect(await app.ask('seen')).toMatchObject({ trayImage: expect.stringContaining('tray-recording') })
      expect(await app.command('recording.end')).toEqual({ done: true })
      await reaches('done')
      expect((await app.state()).unsent).toEqual({ items: 0, events: 0, bytes: 0 })
      const { data: told } = await world.api.call('sessions.get', { params: { id: session.id } })
      expect(told.state).toBe('ended')
    } finally {
      await app.stop()
      await world.stop()
    }
  })
})
