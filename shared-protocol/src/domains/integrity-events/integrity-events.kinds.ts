import * as z from 'zod'
import { instant } from '../../core/primitives.ts'
import { gapReason, laneName } from '../lanes/lanes.registry.ts'
import { permissionState } from '../sessions/sessions.schemas.ts'

/**
 * Kinds of integrity event the agent, the phone and the room report, each with the sentence the candidate is shown.
 * A kind that is not here is stored as it is: newer agents may know more than this server.
 */
export const integrityEventKinds = {
  'display.added': 'A display was connected; its name, place and size are noted.',
  'display.removed': 'A display was disconnected.',
  'display.changed': 'The arrangement or size of the displays changed.',
  'foreground.changed': 'Another program came to the front; its name is noted.',
  'idle.started': 'No keyboard or mouse input for a while.',
  'idle.ended': 'Keyboard or mouse input again.',
  'screen.locked': 'The screen was locked.',
  'screen.unlocked': 'The screen was unlocked.',
  'power.suspended': 'The computer went to sleep.',
  'power.resumed': 'The computer woke up; how long it slept is noted.',
  'network.changed': 'The network connection changed; the names of the connections are noted, never addresses.',
  'process.matched': 'A program of the published list was running.',
  'process.ended': 'A program of the published list stopped.',
  'device.added':
    'A camera or sound device was connected; its name is noted, and the entry of the published list of virtual devices that it matches.',
  'device.removed': 'A camera or sound device was disconnected.',
  'clipboard.used': 'The clipboard was used; how often is noted, never what was in it.',
  'window.exclusion_started':
    "A program keeps one of its windows out of recordings; the program's name and the window's place are noted.",
  'window.exclusion_ended':
    'A window that was kept out of recordings is gone, or can be recorded again; how long it was so is noted.',
  'vm.hint': 'The computer looks like a virtual machine.',
  'clock.jumped': "The computer's clock was changed.",
  'clock.corrected': "The times of this recording were put right by the service's clock.",
  'lane.health': 'A part of the recording started, weakened or stopped.',
  'lane.gap': 'A time for which a part of the recording has nothing, and why.',
  'lane.coverage': 'How much was expected and how much was captured in a stretch of time.',
  'lane.clock': "How far the clock of a part of the recording is from the computer's clock.",
  'lane.withdrawn': 'The candidate withdrew a part of the consent.',
  'permission.changed': 'The operating system gave or took away a permission that the recording needs.',
  'spool.thinned': 'Older pictures were thinned out because the space for unsent items was full.',
  'spool.lost': 'Unsent items could not be read back from the disk.',
  'agent.started': 'The agent started or came back.',
  'agent.stopping': 'The agent is stopping.',
  'quality.changed': 'The picture quality was changed to fit the network.',
} as const
export type IntegrityEventKind = keyof typeof integrityEventKinds

const span = { fromAt: instant, toAt: instant }
const seconds = z.number().min(0).max(1_000_000)

/** Kinds whose data the server reads; others carry free data. */
export const readKinds = {
  'lane.health': z.object({
    lane: laneName,
    displayId: z.string().max(100).optional(),
    health: z.enum(['up', 'degraded', 'down']),
    reason: z.string().max(200).optional(),
  }),
  'lane.gap': z.object({ lane: laneName, displayId: z.string().max(100).optional(), ...span, reason: gapReason }),
  'lane.coverage': z.object({
    lane: laneName,
    displayId: z.string().max(100).optional(),
    ...span,
    expectedSeconds: seconds,
    observedSeconds: seconds,
  }),
  /** Milliseconds that were added to the part's own clock to give the computer's. Told when it is first known, and when it changes. */
  'lane.clock': z.object({ lane: laneName, offsetMs: z.number().int().min(-1e13).max(1e13) }),
  'lane.withdrawn': z.object({ lane: laneName }),
  'permission.changed': z.object({ permission: z.string().min(1).max(50), state: permissionState }),
} as const
