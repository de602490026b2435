import type { EndpointMap, ResultOf } from '@integrity/protocol'
import { type Invite, inviteToken } from '../../test-support/invites.ts'
import { cookieHeader, cookiesOf } from '../../test-support/portal.ts'
import { describePeople, type PeopleTools, type Seat } from '../people/people.test-support.ts'

export interface Accepted {
  readonly status: number
  readonly body: {
    data?: ResultOf<EndpointMap['invites.accept']>
    error?: { code: string; message: string; reason?: string; details?: { path: string }[] }
  }
  readonly cookie: { cookie: string }
}

type InviteBody = Partial<Pick<Invite, 'email' | 'role'>> & { customRoleId?: string; message?: string; locale?: string }
let invited = 0

const toolsOf = (people: PeopleTools) => {
  const byOrg = (by: Seat, orgId: string) => ({ params: { orgId }, headers: by.headers })
  const one = (by: Seat, inviteId: string, orgId: string) => ({ params: { orgId, inviteId }, headers: by.headers })
  return {
    invite: async (by: Seat, body: InviteBody = {}, orgId = people.orgId) => {
      invited += 1
      const asked = { email: `guest${invited}@example.org`, role: 'reviewer' as const, ...body }
      return (await people.portal().call('portal.invites.create', { ...byOrg(by, orgId), body: asked })).data
    },
    resend: async (by: Seat, id: string, orgId = people.orgId) =>
      (await people.portal().call('portal.invites.resend', one(by, id, orgId))).data,
    revoke: async (by: Seat, id: string, orgId = people.orgId) =>
      (await people.portal().call('portal.invites.revoke', one(by, id, orgId))).data,
    invites: async (by: Seat, query: Record<string, unknown> = {}, orgId = people.orgId) =>
      (await people.portal().call('portal.invites.list', { ...byOrg(by, orgId), query })).data,
    tokenOf: ({ id }: { readonly id: string }) => inviteToken(people.server, id),
    inspect: async (token: string) => (await people.portal().call('invites.inspect', { body: { token } })).data,
    /** As a browser would: with its cookies, and taking those that it is given. */
    accept: async (body: object, headers: Readonly<Record<string, string>> = {}): Promise<Accepted> => {
      const answer = await fetch(`${people.server.url}/v1/invites/accept`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      })
      return {
        status: answer.status,
        body: (await answer.json()) as Accepted['body'],
        cookie: cookieHeader(cookiesOf(answer.headers)),
      }
    },
  }
}

/** The tests of people on both databases, with what they do with invites. */
export const describeInvites = (
  title: string,
  suite: (people: PeopleTools, invites: ReturnType<typeof toolsOf>) => void,
): void => describePeople(title, (people) => suite(people, toolsOf(people)))
