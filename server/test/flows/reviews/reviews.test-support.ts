import type { BuiltInRole, Permission, ReviewState } from '@integrity/protocol'
import {
  fullConfig,
  newPicture,
  register,
  scheduleSession,
  stillFor,
  type WorldSession,
} from '../../test-support/world.ts'
import { describePeople, type Seat } from '../people/people.test-support.ts'

type People = Parameters<Parameters<typeof describePeople>[1]>[0]

export interface Reviewed extends WorldSession {
  readonly reviewId: string
}

/** What the tests of reviews do, on both databases. */
export const describeReviews = (title: string, suite: (t: ReturnType<typeof toolsOf>) => void): void =>
  describePeople(title, (people) => suite(toolsOf(people)))

const toolsOf = (people: People) => {
  const api = () => people.server.client(people.server.orgs[0].sandboxKey)
  const params = () => ({ orgId: people.orgId })
  const list = async (by: Seat, query: Record<string, unknown> = {}) =>
    (await people.portal().call('portal.reviews.list', { params: params(), headers: by.headers, query })).data
  const live = async (body: object = {}): Promise<WorldSession> => {
    const session = await scheduleSession(api(), { config: fullConfig, ...body })
    await register(people.server, session)
    return session
  }
  const end = (session: WorldSession) => api().call('sessions.end', { params: { id: session.id } })
  const assign = async (by: Seat, reviewId: string, assigneeId: string | null, expectedAssigneeId: string | null) =>
    (
      await people.portal().call('portal.reviews.assign', {
        params: { ...params(), reviewId },
        headers: by.headers,
        body: { assigneeId, expectedAssigneeId },
      })
    ).data
  const move = async (by: Seat, reviewId: string, expectedState: ReviewState, state: ReviewState) =>
    (
      await people.portal().call('portal.reviews.move', {
        params: { ...params(), reviewId },
        headers: by.headers,
        body: { state, expectedState },
      })
    ).data
  const signOff = async (by: Seat, id: string, expectedRevision = 0, statement?: string) =>
    (
      await people.portal().call('portal.report.signOff', {
        params: { id },
        headers: by.headers,
        body: { expectedRevision, ...(statement !== undefined && { statement }) },
      })
    ).data
  const addNote = async (by: Seat, id: string, body: { text: string; anchor?: object }) =>
    (await people.portal().call('portal.notes.add', { params: { id }, headers: by.headers, body: body as never })).data
  return {
    get server() {
      return people.server
    },
    get orgId() {
      return people.orgId
    },
    people,
    api,
    list,
    live,
    end,
    assign,
    move,
    signOff,
    addNote,
    seat: (role: BuiltInRole = 'reviewer') => people.member(role),
    holder: (held: readonly Permission[]) => people.holder(held),
    get: async (by: Seat, reviewId: string) =>
      (
        await people.portal().call('portal.reviews.get', {
          params: { ...params(), reviewId },
          headers: by.headers,
        })
      ).data,
    assignees: async (by: Seat) =>
      (await people.portal().call('portal.reviews.assignees', { params: params(), headers: by.headers })).data.items,
    /** A session that was live and has ended, with its review. */
    ended: async (by: Seat, body: object = {}): Promise<Reviewed> => {
      const session = await live(body)
      await end(session)
      const { items } = await list(by, { sessionId: session.id })
      return { ...session, reviewId: items[0]?.id ?? '' }
    },
    /** A picture that was taken before the end and comes now. */
    deliver: async (session: WorldSession, capturedAt?: string) => {
      const picture = await newPicture()
      const still = { ...stillFor(people.server, picture), data: picture.toString('base64') }
      const body = { ...still, ...(capturedAt !== undefined && { capturedAt }) }
      const agent = people.server.client(session.agent)
      return (await agent.call('agent.screenshots.upload', { params: { id: session.id }, body })).data.id
    },
    /** Types of the events about a session, oldest first. */
    eventsOf: async (sessionId: string, type: string) =>
      (
        await people.server.app.db.reader.all<{ envelope: string }>(
          'SELECT envelope FROM events WHERE session_id = ? AND type = ? ORDER BY seq',
          [sessionId, type],
        )
      ).map(
        ({ envelope }) => (JSON.parse(envelope) as { data: { report: { revision: number } } }).data.report.revision,
      ),
  }
}
export type ReviewTools = ReturnType<typeof toolsOf>
