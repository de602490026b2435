import { account } from '../../../core/auth.ts'
import { defineEndpoint } from '../../../core/endpoint.ts'
import { pagingQuery } from '../../../core/primitives.ts'
import * as s from './auth.factors.schemas.ts'

const auth = [account] as const
const all = '/v1/auth/sign-ins'

/** Where an account is signed in. */
export const authSignInsEndpoints = [
  defineEndpoint({
    id: 'auth.signIns.list',
    method: 'GET',
    path: all,
    additive: true,
    summary: 'Where the account is signed in, newest first. An account has 100 sign-ins at most.',
    auth,
    query: pagingQuery,
    response: s.signIns,
    success: [200],
    effect: 'read',
  }),
  defineEndpoint({
    id: 'auth.signIns.end',
    method: 'DELETE',
    path: `${all}/{signInId}`,
    additive: true,
    summary: 'End one sign-in of the account. Again: the same answer.',
    auth,
    response: s.signInEnded,
    success: [200],
    effect: 'write',
  }),
  defineEndpoint({
    id: 'auth.signIns.endOthers',
    method: 'DELETE',
    path: all,
    additive: true,
    summary: 'End every sign-in of the account but the one that asks.',
    auth,
    response: s.signInsEnded,
    success: [200],
    effect: 'write',
  }),
] as const
