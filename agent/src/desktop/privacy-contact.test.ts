import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { SessionService } from '../core/session/test-support/session-service.ts'
import { ScriptedServer } from '../core/upload/test-support/scripted-server.ts'
import { ManualClock } from '../shared/test-support/manual-clock.ts'
import { TestDesktop } from './test-support/test-desktop.ts'

let dir: string
let clock: ManualClock
let service: SessionService
let server: ScriptedServer
let baseUrl: string
let desktop: TestDesktop | undefined

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'privacy-contact-'))
  clock = new ManualClock()
  service = new SessionService(() => clock.wallMs())
  server = new ScriptedServer(service.handle)
  baseUrl = await server.listen()
})
afterEach(async () => {
  await desktop?.agent.close()
  await server.close()
  await rm(dir, { recursive: true, force: true })
})

const open = async (): Promise<TestDesktop> => {
  desktop = await TestDesktop.open({ dir, clock, baseUrl })
  return desktop
}

it('the contact that the organisation names is there to the end of the session, over a restart', async () => {
  service.brand = { privacyContact: 'privacy@example.org', other: 1 }
  await (await open()).record()
  await desktop?.agent.close()
  const second = await open()
  await second.until(({ screen }) => screen === 'recording')
  await second.agent.handlers['recording.end']({})
  await second.until(({ screen }) => screen === 'done')
  expect(second.state.session).toMatchObject({ orgName: 'Example Ltd', privacyContact: 'privacy@example.org' })
})

it('how the organisation looks comes with the session, as far as it fits; its logo from the service alone, once', async () => {
  const palette = { accent: '#9c1458', accentText: '#fffafd', background: '#fdf3e7', text: '#33221b' }
  const logoUrl = `${baseUrl}/v1/orgs/org_1/branding/logo?v=00ff`
  service.brand = { palette, logoUrl, welcome: 'Hello!', primaryColor: 7, other: 1 }
  await (await open()).record()
  await desktop?.agent.close()
  const second = await open()
  await second.until(({ screen }) => screen === 'recording')
  expect(second.state.session?.brand).toEqual({ palette, logoUrl, welcome: 'Hello!' })
  const ask = () => second.agent.handlers['session.logo']({})
  expect(await ask()).toEqual({ picture: `data:image/png;base64,${service.logo.toString('base64')}` })
  service.logo = Buffer.from('<svg/>')
  expect((await ask()).picture).toMatch(/^data:image\/png/)
})

it('how it looks follows the service while the interview runs', async () => {
  service.brand = { welcome: 'Hello!' }
  const first = await open()
  await first.record()
  service.brand = { welcome: 'Welcome!', privacyContact: 'privacy@example.org' }
  service.setConfig({})
  await first.until(({ session }) => session?.brand?.welcome === 'Welcome!')
  expect(first.state.session).toMatchObject({ orgName: 'Example Ltd', privacyContact: 'privacy@example.org' })
})

it.each([
  ['what is no PNG', Buffer.from('<svg/>'), '/v1/orgs/org_1/branding/logo'],
  [
    'what is too large',
    Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(800_000)]),
    '/v1/orgs/org_1/branding/logo',
  ],
  ['another address', undefined, '/elsewhere.png'],
])('%s is no logo', async (_what, bytes, path) => {
  service.logo = bytes ?? service.logo
  service.brand = { logoUrl: `${baseUrl}${path}` }
  const first = await open()
  await first.join()
  expect(await first.agent.handlers['session.logo']({})).toEqual({ picture: null })
})

it('what is neither an e-mail address nor an https address is no contact', async () => {
  service.brand = { privacyContact: 'javascript:alert(1)' }
  const first = await open()
  await first.join()
  expect(first.state.session).toEqual({ id: 'ses_1', orgName: 'Example Ltd' })
})
