import * as z from 'zod'
import { anonymous, anyAccount, refresh } from '../../../core/auth.ts'
import { defineEndpoint } from '../../../core/endpoint.ts'
import { emptyBody } from '../../../core/primitives.ts'
import { loginAnswer } from './auth.factors.schemas.ts'
import {
  identity,
  loginBody,
  passwordForgot,
  passwordForgotten,
  passwordReset,
  passwordWasReset,
  signedIn,
} from './auth.schemas.ts'

export const authEndpoints = [
  defineEndpoint({
    id: 'auth.login',
    grants: 'sign_in',
    method: 'POST',
    path: '/v1/auth/login',
    setsCookies: true,
    summary:
      'Sign in with e-mail and password; sets the httpOnly cookies. At most 10 attempts for an account in 15 minutes.',
    details:
      'An account with a second factor gets no cookies here, but `secondFactor`: what the second step is to be given.',
    auth: [anonymous],
    body: loginBody,
    response: loginAnswer,
    success: [200],
    errors: ['unauthorized', 'forbidden'],
    effect: 'write',
  }),
  defineEndpoint({
    id: 'auth.refresh',
    grants: 'sign_in',
    method: 'POST',
    path: '/v1/auth/refresh',
    setsCookies: true,
    summary:
      'Rotate both cookies. A refresh token works once, and for some seconds more for a second tab; coming later it ends the whole sign-in.',
    auth: [refresh],
    body: emptyBody,
    bodyOptional: true,
    response: signedIn,
    success: [200],
    effect: 'write',
  }),
  defineEndpoint({
    id: 'auth.logout',
    method: 'POST',
    path: '/v1/auth/logout',
    setsCookies: true,
    summary: 'End this sign-in and clear its cookies. Answers the same when there is none.',
    auth: [anonymous],
    body: emptyBody,
    bodyOptional: true,
    response: z.object({ signedOut: z.literal(true) }),
    success: [200],
    errors: ['forbidden'],
    effect: 'write',
  }),
  defineEndpoint({
    id: 'auth.me',
    method: 'GET',
    path: '/v1/auth/me',
    summary: 'The signed-in person, and their organisations.',
    auth: [anyAccount],
    response: identity,
    success: [200],
    effect: 'read',
  }),
  defineEndpoint({
    id: 'auth.password.forgot',
    grants: 'account_link',
    method: 'POST',
    path: '/v1/auth/password/forgot',
    summary: 'Have a link to set a new password mailed. The answer is the same whether or not there is an account.',
    details: 'The link works once and for an hour; an account is sent three in an hour at most.',
    auth: [anonymous],
    body: passwordForgot,
    response: passwordForgotten,
    success: [202],
    effect: 'write',
  }),
  defineEndpoint({
    id: 'auth.password.reset',
    method: 'POST',
    path: '/v1/auth/password/reset',
    summary: 'Set a new password with the token of a link; ends every sign-in of the account.',
    details:
      '409 says in `reason` whether the link was `used`, is `expired`, or was `replaced` by a password that was set meanwhile.',
    auth: [anonymous],
    body: passwordReset,
    response: passwordWasReset,
    success: [200],
    errors: ['not_found', 'conflict'],
    effect: 'write',
  }),
] as const
