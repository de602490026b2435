import * as z from 'zod'
import { id, instant } from '../../../core/primitives.ts'
import { integrityEvent } from '../../interviews/integrity-events/integrity-events.schemas.ts'
import { laneHealth, laneName } from '../../interviews/lanes/lanes.registry.ts'
import { permissionState, sessionState } from '../../interviews/sessions/sessions.schemas.ts'
import { companionStatus } from '../companions/companions.schemas.ts'
import { evidenceType } from '../evidence/evidence.schemas.ts'

/** An agent counts as connected when it was heard of within this time: by a request, or on its live socket. */
export const agentHeardWithinSeconds = 45

export const liveQuery = z.object({
  since: z
    .string()
    .max(200)
    .optional()
    .meta({ description: 'the `cursor` of an earlier answer: only what came after it' }),
  limit: z.coerce.number().int().min(1).max(100).default(20).meta({ description: 'events at most, 1 to 100' }),
})

const liveLane = z.object({
  lane: laneName,
  displayId: z.string().nullable(),
  state: laneHealth,
  reason: z.string().nullable(),
  since: instant,
})

/** What goes on in a session right now. Observations only. */
export const liveSnapshot = z
  .object({
    sessionId: id('ses'),
    state: sessionState,
    startedAt: instant.nullable(),
    endedAt: instant.nullable(),
    serverTime: instant,
    cursor: z.string().meta({ description: 'opaque; give it back as `since`' }),
    signals: z.object({
      items: z.array(integrityEvent).meta({
        description: 'in the order of receipt: those after `since`, or without it the newest',
      }),
      more: z.boolean().meta({ description: 'more came after `since` than fit; ask again with `cursor`' }),
      total: z.number().int().meta({ description: 'integrity events of the whole session' }),
    }),
    permissions: z
      .record(z.string(), permissionState)
      .meta({ description: "what the candidate's operating system permits the agent, by its own word" }),
    lanes: z.array(liveLane),
    latestFrame: z
      .object({
        evidenceId: id('evd'),
        evidenceType,
        capturedAt: instant,
        contentType: z.string(),
        sizeBytes: z.number().int(),
        downloadUrl: z.string().nullable().meta({
          description: 'opens with the same sign-in, and is audited; null without the permission evidence.view',
        }),
      })
      .nullable()
      .meta({
        description:
          'the still of a display or the camera captured last; null also without the permission evidence.list',
      }),
    phone: companionStatus.nullable().meta({ description: 'null where no side view is asked for and none was paired' }),
    agent: z.object({
      connected: z.boolean().meta({
        description: `heard of within ${agentHeardWithinSeconds} s, by a request or on its live socket`,
      }),
      lastSeenAt: instant.nullable(),
    }),
  })
  .meta({ id: 'LiveSnapshot' })

export const liveWallQuery = z.object({
  limit: z.coerce.number().int().min(1).max(100).default(100).meta({ description: 'sessions at most, 1 to 100' }),
})

/** What goes on in every session of an organisation right now, without a picture. */
export const liveWall = z
  .object({
    items: z.array(
      z.object({
        session: z.object({
          id: id('ses'),
          state: sessionState,
          externalId: z.string().nullable(),
          candidateLabel: z.string().nullable(),
          sandbox: z.boolean(),
          startedAt: instant.nullable(),
        }),
        lanes: z.array(liveLane),
        latestFrame: z
          .object({ evidenceId: id('evd'), evidenceType, capturedAt: instant })
          .nullable()
          .meta({ description: 'null also without the permission evidence.list' }),
        phone: z
          .object({
            recording: companionStatus.shape.recording,
            interruptedSince: instant.nullable(),
            lastContactAt: instant.nullable(),
          })
          .nullable()
          .meta({ description: 'null where none is paired' }),
        viewers: z.number().int().meta({ description: 'people who have watched it in this minute or the one before' }),
      }),
    ),
    more: z.boolean().meta({ description: 'more sessions go on than are listed' }),
    serverTime: instant,
  })
  .meta({ id: 'LiveWall' })

/** What the live socket tells the agent. A client ignores types that it does not know. */
export const liveMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('hello'), policyVersion: z.number().int(), serverTime: instant }),
  z.object({ type: z.literal('config_changed'), policyVersion: z.number().int() }),
  z.object({ type: z.literal('session_ended') }),
  /** A member looks on: for so long, what is captured is sent at once instead of in packs of several. */
  z.object({ type: z.literal('watched'), seconds: z.number().int().min(1).max(120) }),
])
export type LiveMessage = z.output<typeof liveMessage>

/**
 * Why the server closes a live socket (RFC 6455, section 7.4). `credentialOver`: the token or the session's evidence is gone,
 * do not come back; `restarting`: come back after a wait of your own; `notExpected`: the client sent something, or a
 * newer socket of the session took its place.
 */
export const liveCloseCodes = { credentialOver: 4401, restarting: 1012, notExpected: 1008 } as const
