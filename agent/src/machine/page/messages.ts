import * as z from 'zod'

/*
 * What the agent and its hidden capture page say to each other. The page decides nothing: it opens sources and answers
 * for them, so that a throttled timer of a hidden page delays nothing and a page that is silent is noticed here.
 * Runs in Node and in a browser. Times are epoch ms of the page's clock (`performance.timeOrigin + performance.now()`).
 */

const stream = z.string().min(1).max(100)
const deviceId = z.string().min(1).max(500)
const whole = z.number().int().positive()
const pageMs = z.number().positive()

/** Which source a stream comes from. Sizes and rates are wishes; what came is in the answer. */
export const streamSource = z.discriminatedUnion('kind', [
  /** The display `displayId`: the shell answers the page's request for a display with it. Absent: the only one there is. */
  z.object({
    kind: z.literal('display'),
    displayId: z.string().max(200).optional(),
    width: whole.optional(),
    height: whole.optional(),
    framesPerSecond: z.number().positive(),
  }),
  z.object({ kind: z.literal('camera'), deviceId, framesPerSecond: z.number().positive() }),
  /** A sound device that is recorded as it is: a microphone, or a source that repeats what the speakers play. */
  z.object({ kind: z.literal('sound'), deviceId }),
  /** What the speakers play, by way of a display's stream (`audio: 'loopback'` in the shell's answer). */
  z.object({ kind: z.literal('loopback') }),
])
export type StreamSource = z.output<typeof streamSource>

const inputDevice = z.object({
  kind: z.enum(['audioinput', 'audiooutput', 'videoinput']),
  deviceId: z.string(),
  groupId: z.string(),
  label: z.string(),
})
export type InputDevice = z.output<typeof inputDevice>

const permissionState = z.enum(['granted', 'denied', 'prompt', 'unknown'])
export type PermissionStateName = z.output<typeof permissionState>

/**
 * `same`: the stream still has the source it was opened on. `gone`: that device is not listed any more. `swapped`: the
 * name or id of what is recorded changed. `ended`: the browser ended it. `refused`: ended, and permission is not given
 * any more. `muted`: the system gives nothing of it for now.
 */
const streamState = z.enum(['same', 'gone', 'swapped', 'ended', 'refused', 'muted'])
export type StreamState = z.output<typeof streamState>

/**
 * Sound measured sample by sample: the sum of squares, the peak, and over how many samples. `tenths` are the mean squares of
 * each tenth of a second that ended.
 */
const energy = z.object({
  squares: z.number().nonnegative(),
  peak: z.number().nonnegative(),
  samples: z.number().int().nonnegative(),
  tenths: z.array(z.number().nonnegative()).max(10_000).optional(),
})
export type Energy = z.output<typeof energy>

/** The next bytes of a segment; `last` with `endedAt` when it is complete. The parts of a segment joined are one file. */
const segmentPart = z.object({
  segment: z.number().int().nonnegative(),
  length: z.number().int().nonnegative(),
  startedAt: pageMs,
  /** Until when the bytes so far hold. */
  endedAt: pageMs,
  last: z.boolean(),
  energy,
})
export type SegmentPart = z.output<typeof segmentPart>

/** Samples that follow each other without a hole (16 kHz mono, 16 bit little-endian); the last of them came at `endedAt`. */
const pcmPart = z.object({ length: z.number().int().positive().multipleOf(2), endedAt: pageMs })

/** The parts come in order; their bytes are joined in the message's `bytes`, with those of `pcm` behind them. */
const handover = z.object({
  state: streamState,
  at: pageMs,
  parts: z.array(segmentPart).max(10_000),
  /** Of the sound since the last handover. */
  energy,
  /** Of the same time, while it is asked for by `listen`. */
  pcm: pcmPart.optional(),
})
export type Handover = z.output<typeof handover>

const nothing = z.object({})

/** Every command: what goes to the page, and what it answers. */
export const commands = {
  ping: { input: nothing, value: z.object({ at: pageMs }) },
  inventory: {
    input: nothing,
    value: z.object({
      devices: z.array(inputDevice).max(1000),
      permissions: z.object({ camera: permissionState, microphone: permissionState }),
      /** Of the content types the agent may ask for, those that this browser records. */
      recorders: z.array(z.string().max(100)).max(50),
    }),
  },
  open: {
    input: z.object({ stream, source: streamSource }),
    value: z.object({
      label: z.string(),
      deviceId: z.string(),
      width: whole.optional(),
      height: whole.optional(),
      sampleRate: whole.optional(),
    }),
  },
  /**
   * Takes a fresh frame, keeps it for `picture`, and answers with its fingerprint: `bytes` are the block colours
   * (32-bit floats). Without `frame`, none came in time.
   */
  look: {
    input: z.object({ stream }),
    value: z.object({
      at: pageMs,
      frame: z
        .object({ width: whole, height: whole, hash: z.string().regex(/^[0-9a-f]{16}$/), varies: z.boolean() })
        .optional(),
    }),
  },
  /** Encodes the frame of the last `look` into `bytes`; `maxSide` shrinks it. `quality` is 1 to 100. */
  picture: {
    input: z.object({
      stream,
      contentType: z.enum(['image/webp', 'image/jpeg']),
      quality: z.number().min(1).max(100),
      maxSide: whole.optional(),
    }),
    value: z.object({ contentType: z.string(), width: whole, height: whole }),
  },
  /** Begins the next segment and ends the one before it, which overlap: nothing is lost between them. */
  cut: {
    input: z.object({ stream, contentType: z.string().max(100), bitsPerSecond: whole }),
    value: z.object({ segment: z.number().int().nonnegative() }),
  },
  /** Whether the samples of a stream of sound are handed over too, from now on. At first they are not. */
  listen: { input: z.object({ stream, wanted: z.boolean() }), value: nothing },
  /** Looks whether the source is still the same, and hands over what was recorded before the look if it is. */
  confirm: { input: z.object({ stream }), value: handover },
  /** The last `confirm`, with the segment that was open; then the stream is over. */
  close: { input: z.object({ stream }), value: handover },
} as const

export type Commands = typeof commands
export type CommandName = keyof Commands
export type CommandInput<N extends CommandName> = z.output<Commands[N]['input']>
export type CommandValue<N extends CommandName> = z.output<Commands[N]['value']>

/** Agent → page. */
export const pageCommand = z.object({
  id: z.number().int().positive(),
  command: z.enum(Object.keys(commands) as [CommandName, ...CommandName[]]),
  input: z.unknown(),
})
export interface PageCommand {
  id: number
  command: CommandName
  input: CommandInput<CommandName>
}

const bytes = z.instanceof(Uint8Array)

/** Page → agent: an answer, a refusal (`name` is that of the browser's error), or news that asks for a look. */
export const pageMessage = z.union([
  z.object({ answer: z.number().int().positive(), value: z.unknown(), bytes: bytes.optional() }),
  z.object({ refused: z.number().int().positive(), name: z.string().max(100), detail: z.string().max(2000) }),
  z.object({ news: z.enum(['ready', 'devices']) }),
  z.object({ news: z.literal('stream'), stream }),
])
export type PageMessage = z.output<typeof pageMessage>

/** The names of refusals that are none of the browser's own errors; a stream that is lost is refused by its state. */
export const noSound = 'NoSoundError'
export const noStream = 'NoStreamError'
export const lost = {
  gone: 'SourceGoneError',
  swapped: 'SourceSwappedError',
  ended: 'SourceEndedError',
  refused: 'PermissionLapsedError',
  muted: 'SourceMutedError',
} as const satisfies Record<Exclude<StreamState, 'same'>, string>

/** What the preload script says to the page's window when it hands over the port. */
export const portGreeting = 'agent-capture:port'
