import type { Page } from 'playwright-core'
import { requestLink, sentRequest } from '../test-support/candidate-requests.ts'
import { begin, interviewed, invite, playedInterview, portal } from '../test-support/link-pages.ts'
import { anEvent } from '../test-support/world.ts'
import type { Album } from './album.ts'
import { type Studio, snapAll } from './studio.ts'

interface State {
  readonly name: string
  readonly path: string
  /** Is on the page once it is drawn whole. */
  readonly words: string
}

const goLive = async (studio: Studio): Promise<string> => {
  const { server } = studio
  const live = await invite(studio, {}, { candidateLabel: 'Ben Okafor' })
  await begin(studio, live)
  const events = [anEvent(server, 'lane.health', { lane: 'screen', health: 'up', displayId: 'd1' })]
  await server
    .client(live.agentJoinToken)
    .call('agent.events.ingest', { params: { id: live.sessionId }, body: { events } })
  return live.sessionId
}

/** Signed, and then a note came. */
const signed = async (studio: Studio): Promise<string> => {
  const { sessionId: id } = await interviewed(studio)
  await portal(studio, 'portal.report.signOff', { id }, { expectedRevision: 0, statement: 'I have seen all of it.' })
  await portal(studio, 'portal.notes.add', { id }, { text: 'The light changed at noon.' })
  return id
}

const held = async (studio: Studio): Promise<string> => {
  const { sessionId } = await interviewed(studio)
  await portal(studio, 'portal.retention.sessions.hold', { sessionId }, { on: true, reason: 'A court asked.' })
  return sessionId
}

const erased = async (studio: Studio): Promise<string> => {
  const { sessionId } = await interviewed(studio)
  await studio.api.call('sessions.erase', { params: { id: sessionId } })
  return sessionId
}

const statesOf = async (studio: Studio): Promise<readonly State[]> => {
  const { server, orgId } = studio
  const scope = { orgId, environment: 'sandbox' } as const
  const played = (await playedInterview(studio, {}, { candidateLabel: 'Asha Rao' }, 'everything_goes_wrong')).sessionId
  const asked = await sentRequest(server, scope, played, 'access')
  const body = { kind: 'erasure' } as const
  const token = await requestLink(server, scope, await held(studio))
  const { data: deletion } = await server.client(token).call('candidateRequests.submit', { body })
  const states = [
    { name: '50-live-view', path: `live?session=${await goLive(studio)}`, words: 'You are noted as watching.' },
    { name: '51-request-copy', path: `requests/${asked.id}`, words: 'What would go out' },
    { name: '52-request-held', path: `requests/${deletion.id}`, words: 'The interview is kept by legal hold' },
    { name: '53-review-moments', path: `review/${played}`, words: 'Take this review' },
    { name: '54-review-signed', path: `review/${await signed(studio)}`, words: 'Revisions compared' },
    {
      name: '55-review-erased',
      path: `review/${await erased(studio)}`,
      words: 'What was captured of this interview was erased',
    },
  ]
  await server.processAll()
  return states
}

/** What a page looks like in the states that the first interview is not in. */
export const deskStates = async (album: Album, page: Page, studio: Studio): Promise<void> => {
  for (const { name, path, words } of await statesOf(studio)) {
    await page.goto(`${studio.server.url}/desk/${path}`)
    await page.getByText(words).first().waitFor()
    await page.getByText('Loading …').first().waitFor({ state: 'detached' })
    await snapAll(album, page, name)
  }
}
