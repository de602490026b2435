import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { consentTexts } from '@integrity/protocol'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ScriptedCapture, ScriptedObservers } from '../../src/core/session/test-support/scripted-capture.ts'
import { fileKeyStore } from '../../src/core/spool/key-store.ts'
import { DesktopAgent } from '../../src/desktop/desktop-agent.ts'
import { systemClock } from '../../src/shared/clock.ts'
import type { WindowState } from '../../src/shared/ipc/window-state.ts'
import { until } from '../test-support/until.ts'
import { type RealServer, startRealServer } from './real-server.ts'

let server: RealServer
let dir: string
let agent: DesktopAgent

beforeAll(async () => {
  server = await startRealServer()
  dir = await mkdtemp(join(tmpdir(), 'consent-language-'))
  agent = await DesktopAgent.open({
    dataDir: dir,
    version: '1.0.0',
    platform: 'linux',
    locale: 'en-GB',
    capture: new ScriptedCapture(systemClock),
    observers: new ScriptedObservers(),
    // What the devices do is tested with real drivers elsewhere.
    create: () => new Map(),
    choices: { list: async () => [], choose: (sources) => sources },
    ports: {
      keyStore: fileKeyStore(dir),
      permissions: { status: () => 'granted', ask: async () => undefined, openSettings: async () => false },
      window: { hide: () => undefined, quit: () => undefined },
      browser: { open: async () => undefined },
    },
  })
})
afterAll(async () => {
  await agent.close()
  await server.remove()
  await rm(dir, { recursive: true, force: true })
})

it('the real service asks in the language of the window, follows a change of it, and records the words that were agreed to', async () => {
  const { api, url } = server
  const { data: session } = await api.call('sessions.create', { body: {} })
  const params = { id: session.id }
  const { data: link } = await api.call('sessions.joinLinks.create', { params, body: { role: 'candidate' } })
  const document = () => agent.state().consent?.document
  const titled = (locale: 'en' | 'hi') => () =>
    document()?.lanes.some(({ title }) => title === consentTexts[locale].lanes.screen.title) === true
  const on = (screen: WindowState['screen']) => until(screen, () => agent.state().screen === screen)

  await agent.handlers['session.join']({ code: link.joinCode, server: url })
  await until('the English words', titled('en'))
  await agent.handlers['app.locale']({ locale: 'hi-IN' })
  await until('the Hindi words', titled('hi'))
  const { hash = '', lanes = [] } = document() ?? {}
  const answers = Object.fromEntries(lanes.map(({ lane }) => [lane, true]))
  expect(await agent.handlers['consent.agree']({ hash, answers })).toEqual({ done: true })
  await agent.handlers['check.done']({})
  await on('recording')

  const { data } = await api.call('sessions.get', { params })
  expect(data).toMatchObject({ state: 'live', consent: { status: 'granted', locale: 'hi', documentHash: hash } })
  await agent.handlers['recording.end']({})
  await on('done')
})
