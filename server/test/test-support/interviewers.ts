import { issueLink } from '../../src/domains/candidates/links/links.service.ts'
import { asMember, inDays } from './invitations.ts'
import { scheduleSession, type World } from './world.ts'

/** A session with an appointment and an interviewer, and a link of theirs without a message. */
export interface ToldSession {
  readonly sessionId: string
  readonly interviewerId: string
  readonly token: string
}

let told = 0

/** Another address each time: one mailbox is not sent many messages in an hour. */
export const interviewerAddress = (): string => {
  told += 1
  return `interviewer-${told}@example.org`
}

export const toldSession = async (world: World): Promise<ToldSession> => {
  const { server, scope, key } = world
  const { orgId } = scope
  const sessionId = (await scheduleSession(server.client(key), { schedule: inDays(server, 3) })).id
  const { data } = await server.client().call('portal.interviewers.add', {
    ...(await asMember(server, orgId)),
    params: { orgId, id: sessionId },
    body: { email: interviewerAddress(), name: 'Interviewer 1' },
  })
  const expiresAt = server.clock.now() + 86_400_000
  const token = await server.app.db.transact(async (tx) => {
    const wanted = { kind: 'interviewer', sessionId, subjectId: data.id, expiresAt } as const
    return (await issueLink({ ...server.app, tx, reader: tx, scope }, wanted)).token
  })
  return { sessionId, interviewerId: data.id, token }
}
