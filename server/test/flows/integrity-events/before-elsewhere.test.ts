import { announcedEvents } from '@integrity/protocol'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findChromium, launchChromium, watch } from '../../test-support/browser.ts'
import { type ChatDouble, haveSlack, startChatDouble } from '../../test-support/chat-double.ts'
import { portalCookie } from '../../test-support/portal.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { anEvent, register, scheduleSession } from '../../test-support/world.ts'
import { asMember } from '../candidate-requests/candidate-requests.test-support.ts'

/** What of the computer's own states would show in words, ids or flags. */
const states = /(display|device|vm)\.\w|virtual|KVM|sinceBefore|was connected|at the start/i

describe('what was so before', () => {
  let server: TestServer
  let double: ChatDouble
  beforeAll(async () => {
    double = await startChatDouble()
    server = await startServer()
  })
  afterAll(async () => {
    await server.stop()
    await double.stop()
  })

  const connectChat = async () => {
    haveSlack(server, double)
    const params = { orgId: server.orgs[0].orgId }
    const { url } = await asMember(server, 'portal.chat.install', { params, body: { provider: 'slack' } })
    const state = new URL(url ?? '').searchParams.get('state') ?? ''
    const query = new URLSearchParams({ state, code: 'code-before' })
    const headers = await portalCookie(server, 'owner')
    await fetch(`${server.url}/v1/integrations/comms/callback/slack?${query}`, { headers, redirect: 'manual' })
    const [one] = (await asMember(server, 'portal.chat.list', { params })).items
    const body = { channelId: 'G00HIRING', events: [...announcedEvents] }
    await asMember(server, 'portal.chat.update', { params: { ...params, integrationId: one?.id ?? '' }, body })
  }

  it('is in no announcement of a chat, and in no event that a program is told', async () => {
    await connectChat()
    const api = server.client(server.orgs[0].liveKey)
    const session = await scheduleSession(api)
    await register(server, session)
    const told = [
      ['display.added', { id: '1' }],
      ['vm.hint', { from: 'dmi', value: 'KVM' }],
      ['device.added', { kind: 'camera', name: 'Camera' }],
    ] as const
    const events = told.map(([kind, value]) => ({
      ...anEvent(server, kind),
      data: { observerVersion: 1, method: 'test', value, sinceBeforeSession: true },
    }))
    await server.client(session.agent).call('agent.events.ingest', { params: { id: session.id }, body: { events } })
    await api.call('sessions.end', { params: { id: session.id } })
    await server.processAll()
    const { data } = await api.call('events.list', { query: { sessionId: session.id, limit: 100 } })
    expect(data.items.map(({ type }) => type)).toEqual(expect.arrayContaining(['session.started', 'session.ended']))
    expect(JSON.stringify(data.items)).not.toMatch(states)
    expect(double.posted.map(({ text }) => text.replace(/ \(ses_.*/, ''))).toEqual([
      'An interview was scheduled',
      'An interview has begun',
      'An interview has ended',
    ])
    expect(JSON.stringify(double.posted)).not.toMatch(states)
  })

  const chromium = findChromium('the console, of what was so before')
  if (chromium)
    it('is not in the events that the console shows of a whole interview', async () => {
      const browser: Browser = await launchChromium(chromium)
      try {
        const page = await browser.newPage()
        const seen = watch(page)
        await page.goto(`${server.url}/docs/console`)
        await page.getByLabel('Sandbox key').fill(server.orgs[0].sandboxKey)
        await page.getByLabel('Scenario').selectOption('everything_goes_wrong')
        await page.getByRole('button', { name: 'Play an interview' }).click()
        const list = page.getByRole('list', { name: 'Events' })
        await list.getByText('session.scheduled', { exact: true }).waitFor()
        for (let n = 0; n < 200 && !(await list.textContent())?.includes('session.ended'); n += 1) {
          server.clock.advance(60_000)
          await server.processAll()
          await page.waitForTimeout(200)
        }
        await list.getByText('session.ended', { exact: true }).waitFor()
        expect(await list.textContent()).toContain('source.health_changed')
        expect(await list.textContent()).not.toMatch(states)
        expect(seen.errors).toEqual([])
      } finally {
        await browser.close()
      }
    }, 120_000)
})
