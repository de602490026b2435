import type { Needs } from '../../../../kernel/call.ts'
import type { SignIns } from '../../../../kernel/sign-ins.ts'
import { actAsMember, actAsPerson, findAccount, findRefresh } from './portal-actor.service.ts'

/** Signed-in people, as the pipeline asks for them. */
export const createSignIns = (call: Needs<'config' | 'reader' | 'clock' | 'credentials' | 'lastSeen'>): SignIns => ({
  account: (token) => findAccount(call, token),
  refresh: (token) => findRefresh(call, token),
  person: (endpoint, account) => actAsPerson(call, { endpoint, account }),
  member: (endpoint, account, params) => actAsMember(call, { endpoint, account, params }),
})
