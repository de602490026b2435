import * as z from 'zod'
import { apiKey, user } from '../../../core/auth.ts'
import { defineEndpoint } from '../../../core/endpoint.ts'
import { id, instant } from '../../../core/primitives.ts'
import { scenarioNames, scenarios } from './sandbox.scenarios.ts'

const scenario = z.enum(scenarioNames).meta({
  description: scenarioNames.map((name) => `\`${name}\`: ${scenarios[name]}`).join(' '),
})

const dated = z.enum(['real_time', 'as_played']).meta({
  description:
    '`real_time`: what the interview leaves is dated as in a real one that has just ended, however fast it plays. `as_played`: it is dated by the clock while it plays',
})

const simulation = z
  .object({
    id: id('sim'),
    sessionId: id('ses'),
    scenario,
    timeScale: z.number(),
    dated,
    status: z.enum(['running', 'done', 'failed']),
    steps: z.array(
      z.object({
        atSeconds: z.number().meta({ description: 'seconds of wall-clock time after the start' }),
        what: z.string().meta({ description: 'in words' }),
        doneAt: instant.nullable().meta({ description: 'when it ran; never before it was due' }),
        datedAt: instant
          .nullable()
          .meta({ description: 'the instant that what it leaves is dated at; null while that is not known yet' }),
      }),
    ),
    startedAt: instant,
    finishedAt: instant.nullable(),
    failure: z.string().nullable().meta({ description: 'why it failed, in words' }),
  })
  .meta({ id: 'Simulation' })

const wanted = z.object({
  scenario,
  timeScale: z.number().min(1).max(600).default(60).meta({
    description:
      'how much faster than a real interview it plays: 1 is real time, 60 a minute in a second. Steps that a busy machine cannot do in time follow each other as fast as it can',
  }),
  dated: dated.default('real_time'),
})

export const sandboxEndpoints = [
  defineEndpoint({
    id: 'sandbox.simulate',
    method: 'POST',
    path: '/v1/api/sandbox/sessions/{id}/simulate',
    summary:
      'Play a scenario in a scheduled sandbox session, without an agent; once for each session. Live keys are refused.',
    auth: [apiKey('sessions:write')],
    body: wanted,
    response: simulation,
    success: [202],
    effect: 'write',
    additive: true,
  }),
  defineEndpoint({
    id: 'sandbox.simulation',
    method: 'GET',
    path: '/v1/api/sandbox/sessions/{id}/simulate',
    summary: 'The progress of the simulation of a sandbox session.',
    auth: [apiKey('sessions:read')],
    response: simulation,
    success: [200],
    effect: 'read',
    additive: true,
  }),
  defineEndpoint({
    id: 'portal.sandbox.simulate',
    method: 'POST',
    path: '/v1/sessions/{id}/simulation',
    sessionParam: 'id',
    summary: 'The same for people: play a scenario in a scheduled sandbox session. Real interviews are refused.',
    auth: [user('session.manage')],
    body: wanted,
    response: simulation,
    success: [202],
    effect: 'write',
    additive: true,
  }),
  defineEndpoint({
    id: 'portal.sandbox.simulation',
    method: 'GET',
    path: '/v1/sessions/{id}/simulation',
    sessionParam: 'id',
    summary: 'The progress of the simulation of a sandbox session, for people.',
    auth: [user('session.view')],
    response: simulation,
    success: [200],
    effect: 'read',
    additive: true,
  }),
] as const
