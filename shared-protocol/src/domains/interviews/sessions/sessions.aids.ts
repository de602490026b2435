import * as z from 'zod'

/** What a candidate may declare before an interview, without a reason and without a diagnosis. */
export const aidNames = [
  'second_display',
  'screen_reader',
  'dictation',
  'on_screen_keyboard',
  'helper',
  'notes',
  'ai_tool',
  'breaks',
  'no_camera',
  'sound_only',
  'reduced_data',
] as const
export const aidName = z.enum(aidNames)
export type AidName = z.output<typeof aidName>

/** `agreed`: from then on what the aid makes meaningless is not collected. */
export const aidStates = ['declared', 'agreed', 'refused'] as const
export type AidState = (typeof aidStates)[number]

/** Of the candidate's words beside an aid, in characters. */
export const maxAidDetail = 200
const whole = (min: number, max: number) => z.number().int().min(min).max(max)
const breakCount = whole(1, 10).meta({ description: 'how many breaks; 1 to 10' })
const breakMinutes = whole(1, 60).meta({ description: 'how long each may be; 1 to 60 minutes' })

export const breaks = z.object({ count: breakCount, minutes: breakMinutes }).meta({ id: 'AgreedBreaks' })
export type Breaks = z.output<typeof breaks>

/** As the config of a session keeps it. */
export const keptAid = z.object({
  aid: aidName,
  state: z.enum(aidStates),
  detail: z.string().max(maxAidDetail).nullable().meta({ description: "the candidate's words; null once erased" }),
  breaks: breaks.nullable().meta({ description: 'of breaks; null of every other aid' }),
})
export type KeptAid = z.output<typeof keptAid>

/** As everybody reads it, the candidate and the organisation the same. */
export const shownAid = keptAid
  .extend({
    text: z.string().meta({
      description: 'the aid and what follows from it, as both sides read it; in English where no locale is asked for',
    }),
  })
  .meta({ id: 'Aid' })

/** What needs no answer: it is agreed as soon as it is declared. */
export const aidsOffer = z
  .object({
    offered: z.array(z.object({ aid: aidName, text: z.string() })),
    breaks: breaks.nullable().meta({ description: 'the breaks that are offered; null without any' }),
  })
  .meta({ id: 'AidsOffer' })

const detail = z
  .string()
  .trim()
  .min(1)
  .max(maxAidDetail)
  .regex(/^[^\p{Cc}\p{Bidi_C}]*$/u, 'must be one line')

export const aidsBody = z.object({
  aids: z
    .array(
      z
        .object({ aid: aidName, detail: detail.optional(), breaks: breaks.optional() })
        .refine((one) => (one.aid === 'breaks') === (one.breaks !== undefined), {
          path: ['breaks'],
          message: 'is needed for breaks, and for nothing else',
        })
        .refine((one) => one.aid !== 'ai_tool' || one.detail !== undefined, {
          path: ['detail'],
          message: 'must name the tool',
        }),
    )
    .min(1)
    .max(aidNames.length)
    .refine((all) => new Set(all.map(({ aid }) => aid)).size === all.length, 'name an aid twice'),
})
export type WantedAid = z.output<typeof aidsBody>['aids'][number]
