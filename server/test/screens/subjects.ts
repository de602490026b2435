import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { pendingRequest } from '../test-support/access-requests.ts'
import {
  begin,
  capture,
  type Invited,
  interviewed,
  invite,
  playedInterview,
  portal,
  requestsLink,
} from '../test-support/link-pages.ts'
import { pressOn } from '../test-support/pages.ts'
import { addPerson } from '../test-support/portal.ts'
import { buildRoomClient } from '../test-support/room-pages.ts'
import { deskOperator, newOrg } from '../test-support/server.ts'
import type { Album, Shoot } from './album.ts'
import { drawn, signInAs, signInOwner } from './desk.ts'
import { type Studio, snapAll, snapHindi, snapOnce, withStudio } from './studio.ts'

interface Stage {
  readonly album: Album
  readonly page: Page
  readonly studio: Studio
}

const opened = async ({ page, studio }: Stage, path: string): Promise<void> => {
  await page.goto(`${studio.server.url}/desk/${path}`)
  await drawn(page)
}

const snapAt = async (stage: Stage, path: string, name: string): Promise<void> => {
  await opened(stage, path)
  await snapAll(stage.album, stage.page, name)
}

/** A receiver of webhooks whose disk is full. */
const withReceiver = async (work: (url: string) => Promise<void>): Promise<void> => {
  const receiver: Server = createServer((request, response) => {
    request.resume()
    response.writeHead(500).end('the disk is full')
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  try {
    await work(`http://127.0.0.1:${(receiver.address() as AddressInfo).port}/in`)
  } finally {
    receiver.closeAllConnections()
    receiver.close()
  }
}

/** A statement, a copy and a deletion that its candidate asks for. */
const askedFor = async ({ studio }: Stage, invited: Invited): Promise<Record<string, string>> => {
  const { token } = await requestsLink(studio, invited)
  const ids: Record<string, string> = {}
  for (const kind of ['context_statement', 'access', 'erasure'] as const) {
    const text = kind === 'context_statement' ? { text: 'The second voice was my neighbour.' } : {}
    ids[kind] = (
      await studio.server.client(token).call('candidateRequests.submit', { body: { kind, ...text } })
    ).data.id
  }
  return ids
}

const requests = async (stage: Stage, invited: Invited): Promise<void> => {
  const ids = await askedFor(stage, invited)
  await snapAt(stage, `requests/${ids['context_statement']}`, '01-request-words')
  await snapAt(stage, `requests/${ids['access']}`, '02-request-copy')
  await snapAt(stage, `requests/${ids['erasure']}`, '03-request-deletion')
}

const people = async (stage: Stage): Promise<void> => {
  const { studio } = stage
  const config = { retentionDays: 30, pauseAllowed: true }
  const { id: policyId } = await portal(studio, 'portal.policies.create', {}, { name: 'Two readers', config })
  const role = { name: 'Coordinator', permissions: ['session.view', 'session.create', 'session.manage'] }
  const { id: roleId } = await portal(studio, 'portal.roles.create', {}, role)
  await snapAt(stage, `organisation/policies/${policyId}`, '04-policy')
  await snapAt(stage, `organisation/policies/${policyId}?edit=1`, '05-policy-edit')
  await snapAt(stage, `organisation/roles/${roleId}`, '06-role')
  await snapAt(stage, 'organisation/members/new', '07-member-new')
}

const developers = async (stage: Stage, invited: Invited): Promise<void> => {
  const { studio, page } = stage
  const body = { label: 'Assessment', environment: 'sandbox', scopes: ['sessions:read'] }
  const key = await portal(studio, 'portal.apiKeys.create', {}, body)
  await studio.server.client(key.token).call('sessions.get', { params: { id: invited.sessionId } })
  await studio.server.processAll()
  await snapAt(stage, `developers/keys/${key.id}`, '08-key')
  await withReceiver(async (url) => {
    const made = { url, eventTypes: ['*'], environment: 'sandbox' }
    const { id } = await portal(studio, 'portal.webhooks.create', {}, made)
    await opened(stage, `developers/webhooks/${id}`)
    await pressOn(page, 'Send a test event')
    await page.getByText('waits for its first attempt').last().waitFor()
    await studio.server.processAll()
    await pressOn(page, 'Look again now')
    await page.getByText('Show 1 attempt').click()
    await page.getByText('the disk is full').waitFor()
    await snapAll(stage.album, page, '09-webhook')
  })
  await snapAt(stage, `developers/sandbox/${invited.sessionId}`, '10-simulation')
}

const live = async (stage: Stage): Promise<void> => {
  const { studio, page } = stage
  const invited = await invite(studio, {}, { candidateLabel: 'B. Candidate' })
  await begin(studio, invited)
  await capture(studio, invited)
  await studio.server.processAll()
  await opened(stage, `live?session=${invited.sessionId}`)
  await page.getByText('B. Candidate').first().waitFor()
  await snapAll(stage.album, page, '11-live')
  await studio.api.call('sessions.end', { params: { id: invited.sessionId } })
}

const review = async (stage: Stage, { sessionId }: Invited): Promise<void> => {
  const { album, page } = stage
  await opened(stage, `review/${sessionId}`)
  await pressOn(page, 'Take this review')
  await page.getByText('In review.').waitFor()
  const player = page.locator('.player')
  await player.locator('img.shown, video.shown').first().waitFor()
  await snapAll(album, page, '12-review-taken')
  await pressOn(page, 'Sign off')
  await page.getByText('Read them above, then say so here.').waitFor()
  await snapAll(album, page, '13-review-refused')
  await page.getByLabel('I sign although words of the candidate are not marked as read').check()
  await pressOn(page, 'Sign off')
  await page.getByText('Revision 1 of the report is signed off.').waitFor()
  await snapAll(album, page, '14-review-signed')
}

/** A hold is said beside the pictures; an erasure has taken them. */
const heldAndErased = async (stage: Stage, { sessionId }: Invited): Promise<void> => {
  const { studio } = stage
  const hold = { on: true, reason: 'A question of the works council.' }
  await portal(studio, 'portal.retention.sessions.hold', { sessionId }, hold)
  await snapAt(stage, `interviews/${sessionId}`, '15-interview-held')
  const { sessionId: id } = await interviewed(studio)
  await studio.api.call('sessions.erase', { params: { id } })
  await studio.server.processAll()
  await snapAt(stage, `interviews/${id}`, '16-interview-erased')
  await snapAt(stage, `review/${id}`, '17-review-erased')
}

const operators = async (stage: Stage): Promise<void> => {
  const { studio, album } = stage
  await pendingRequest(studio.server)
  const { page } = await studio.sit({ camera: false })
  const { email } = await addPerson(studio.server, deskOperator)
  await signInAs(page, studio.server.url, email)
  await page.goto(`${studio.server.url}/desk/access-requests`)
  await drawn(page)
  await snapAll(album, page, '18-access-requests')
}

/** What a new organisation sees, in which nothing has happened yet. */
const emptyRooms = async ({ studio, album }: Stage): Promise<void> => {
  const { orgId } = await newOrg(studio.server.app)
  const page = await signInOwner({ ...studio, orgId })
  const stage = { album, page, studio }
  for (const [number, room] of ['today', 'interviews', 'live', 'reviews', 'requests'].entries()) {
    await opened(stage, room === 'today' ? '' : room)
    for (const snapped of [snapOnce, snapHindi]) await snapped(album, page, `${number + 19}-empty-${room}`)
  }
}

/** Pages of the desk about one thing: a request, a policy, a key, a review that is taken, refused and signed. */
export const subjectScreens: Shoot = {
  name: 'subject',
  run: async (album) => {
    buildRoomClient()
    await withStudio({ scene: 'room', width: 1100, height: 760, atItsAddress: true }, async (studio) => {
      const invited = await playedInterview(studio, {}, {}, 'everything_goes_wrong')
      const page = await signInOwner(studio)
      const stage: Stage = { album, page, studio }
      await requests(stage, invited)
      await people(stage)
      await developers(stage, invited)
      await live(stage)
      await review(stage, invited)
      await heldAndErased(stage, invited)
      await operators(stage)
      await emptyRooms(stage)
    })
  },
}
