import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { begin, capture, type Invited, invite, onPage, portal } from '../../../server/test/test-support/link-pages.ts'
import { packedStill, sendPack } from '../../../server/test/test-support/packs.ts'
import { pressOn, titleOn } from '../../../server/test/test-support/pages.ts'
import { addMember } from '../../../server/test/test-support/portal.ts'
import { anEvent } from '../../../server/test/test-support/world.ts'
import { describeDesk, narrow } from './desk-use.test-support.ts'
import { pathOf, tabTo } from './desk-web.test-support.ts'

describeDesk('live interviews in a browser', narrow, ({ team, url, open: openDesk }) => {
  const open = (path: string, role: 'interviewer' | 'reviewer' = 'interviewer') => openDesk(path, role)
  const report = ({ sessionId, agentJoinToken }: Invited, state: string, more: object = {}) => {
    const events = [anEvent(team.server, 'lane.health', { lane: 'screen', health: state, displayId: 'd1', ...more })]
    const agent = team.server.client(agentJoinToken)
    return agent.call('agent.events.ingest', { params: { id: sessionId }, body: { events } })
  }
  /** Events on what a source says of itself are published after it has settled. */
  const settled = async (page: Page, words: RegExp) => {
    const seen = page.getByText(words).waitFor()
    const turns = setInterval(() => void team.server.processAll(), 500)
    await seen.finally(() => clearInterval(turns))
  }
  const isOpen = (page: Page) => page.locator('[data-stream="open"]').waitFor()
  /** A device sends a picture; when that was, by the clocks of the browser. */
  const send = async (page: Page, { sessionId: id, agentJoinToken }: Invited): Promise<string> => {
    const capturedAt = new Date(team.server.app.clock.now()).toISOString()
    const agent = team.server.client(agentJoinToken)
    const [sent] = await sendPack({ agent, id }, [await packedStill(team.server, { capturedAt })])
    expect(sent?.status).toBe('stored')
    return page.evaluate(`new Date('${capturedAt}').toLocaleTimeString('en-GB')`)
  }
  const goLive = async (candidateLabel: string) => {
    const invited = await invite(team, {}, { candidateLabel })
    await begin(team, invited)
    await report(invited, 'up')
    return invited
  }
  const end = ({ sessionId }: Invited) => team.api.call('sessions.end', { params: { id: sessionId } })

  it('lists what goes on without a picture, and hears by itself of what begins', async () => {
    const first = await goLive('Asha Verma')
    const page = await open('live')
    await titleOn(page, 'Live interviews')
    await page.getByRole('heading', { name: 'Asha Verma' }).waitFor()
    await page.getByText(/^Screen \(d1\): recording, since/).waitFor()
    await page.getByText(/no picture yet · nobody watches/).waitFor()
    await isOpen(page)
    await onPage(page, 'Live interviews')
    expect(await page.locator('img').count()).toBe(0)
    const second = await goLive('Ben Okafor')
    await page.getByRole('heading', { name: 'Ben Okafor' }).waitFor()
    for (const one of [first, second]) await end(one)
    await page.getByText('No interview takes place now.').waitFor()
  })

  it('shows the newest still as soon as a device has sent it, goes on after a cut, and stops where it is left', async () => {
    const invited = await goLive('Asha Verma')
    const watchStreams = (page: Page) =>
      page.addInitScript(`const every = window.setInterval, Source = window.EventSource
      window.setInterval = (work, ms, ...more) => (ms === 30000 ? 0 : every(work, ms, ...more))
      window.streams = []
      window.EventSource = class extends Source { constructor(...at) { super(...at); window.streams.push(this) } }`)
    const page = await openDesk('live', 'interviewer', { prepare: watchStreams })
    await page.getByText('This page follows the interviews as they go on.').waitFor()
    await page.getByText(/no picture yet/).waitFor()
    const first = await send(page, invited)
    await page.getByText(`newest picture at ${first}`).waitFor()
    // What is open already stays so until the service itself is gone.
    await page.context().setOffline(true)
    await team.server.restart()
    await page.getByText(/^The connection is interrupted\. The page connects again by itself/).waitFor()
    const meanwhile = await send(page, invited)
    await page.context().setOffline(false)
    await page.getByText(`newest picture at ${meanwhile}`).waitFor()
    await page.getByText('This page follows the interviews as they go on.').waitFor()
    await tabTo(page, 'Watch live: Asha Verma')
    await page.getByRole('img', { name: `The newest picture of the interview, taken at ${meanwhile}` }).waitFor()
    const last = await send(page, invited)
    await page.getByRole('img', { name: `The newest picture of the interview, taken at ${last}` }).waitFor()
    await tabTo(page, 'Interview')
    await titleOn(page, 'Interview')
    expect(await page.evaluate('window.streams.map(({ readyState }) => readyState)')).toEqual([2, 2])
    await end(invited)
  })

  it('says where the service refuses the stream, asks now and then, and tries again', async () => {
    const invited = await goLive('Asha Verma')
    const refuse = async (page: Page) => {
      await page.clock.install()
      await page.route('**/events/stream?**', (route) => route.fulfill({ status: 429, body: '{}' }))
    }
    const page = await openDesk('live', 'interviewer', { prepare: refuse })
    await page.getByText(/^The service does not keep this page informed at the moment\./).waitFor()
    await page.getByText(/no picture yet/).waitFor()
    const sent = await send(page, invited)
    await page.clock.fastForward(30_000)
    await page.getByText(`newest picture at ${sent}`).waitFor()
    await page.unroute('**/events/stream?**')
    await page.clock.fastForward(30_000)
    await page.clock.fastForward(30_000)
    await page.getByText('This page follows the interviews as they go on.').waitFor()
    await end(invited)
  })

  it('shows one with its sources and newest picture, is noted as watching, and ends it, by keyboard alone', async () => {
    const invited = await goLive('Asha Verma')
    await capture(team, invited)
    const page = await open('live')
    await titleOn(page, 'Live interviews')
    await tabTo(page, 'Watch live: Asha Verma')
    await titleOn(page, 'Live view')
    expect(pathOf(page)).toContain(`live?session=${invited.sessionId}`)
    await page.getByText('You are noted as watching.').waitFor()
    const picture = page.getByRole('img', { name: /^The newest picture of the interview/ })
    await picture.waitFor()
    const width =
      "(async (image) => { await image.decode(); return image.naturalWidth })(document.querySelector('main img'))"
    expect(await page.evaluate(width)).toBeGreaterThan(0)
    await onPage(page, 'Live view')
    await report(invited, 'degraded', { reason: 'slow' })
    await settled(page, /^Screen \(d1\): recording in part, since .* \(slow\)$/)
    const watched = (await portal(team, 'portal.live.list', {})).items.find(
      ({ session }) => session.id === invited.sessionId,
    )
    expect(watched?.viewers).toBe(1)
    await tabTo(page, 'End the interview')
    await page.getByText('The recording stops at once').waitFor()
    await tabTo(page, 'Yes, end it')
    await page.getByText(/^The interview ended at/).waitFor()
    expect((await team.api.call('sessions.get', { params: { id: invited.sessionId } })).data.state).toBe('ended')
    expect(await page.getByRole('button', { name: 'End the interview' }).count()).toBe(0)
  })

  it('is there without the picture for whoever may not open pictures', async () => {
    const invited = await goLive('Asha Verma')
    await capture(team, invited)
    const { userId, email } = await addMember(team.server, 'reviewer')
    const { items } = await portal(team, 'portal.members.list', {}, undefined, { limit: 100 })
    const membershipId = items.find((member) => member.userId === userId)?.id ?? ''
    const role = { name: 'Watcher', permissions: ['session.view', 'evidence.list'] }
    const { id: roleId } = await portal(team, 'portal.roles.create', {}, role)
    await portal(team, 'portal.roles.assign', { membershipId }, { roleId })
    const page = await openDesk(`live?session=${invited.sessionId}`, { email })
    await titleOn(page, 'Live view')
    await page.getByText('Your role does not open pictures.').waitFor()
    await page.getByText(/^Screen \(d1\): recording, since/).waitFor()
    expect(await page.locator('img').count()).toBe(0)
    expect(await page.getByRole('button', { name: 'End the interview' }).count()).toBe(0)
    await end(invited)
  })

  it('says in Hindi that one has ended or belongs to somebody else', async () => {
    const invited = await goLive('Asha Verma')
    await end(invited)
    const page = await open(`live?session=${invited.sessionId}`)
    await page.getByText(/^The interview ended at/).waitFor()
    await pressOn(page, 'हिन्दी')
    await page.getByText(/साक्षात्कार .* को समाप्त हुआ।/).waitFor()
    await onPage(page, 'लाइव दृश्य')
    const other = team.server.client(team.server.orgs[1].liveKey)
    const { id } = (await other.call('sessions.create', { body: {} })).data
    await page.goto(`${url()}/desk/live?session=${id}`)
    await page.getByText('इस पते पर कुछ नहीं है, या यह किसी दूसरे संगठन का है।').waitFor()
  })
})
