import * as z from 'zod'

/** What the sherpa-onnx process says, a JSON line each. Times are milliseconds of the sound it was given. */
export const sherpaLine = z.discriminatedUnion('type', [
  z.object({ type: z.literal('progress'), takenMs: z.number(), settledMs: z.number() }),
  z.object({
    type: z.literal('words'),
    startMs: z.number(),
    endMs: z.number(),
    text: z.string(),
    final: z.boolean(),
    confidence: z.number().optional(),
  }),
  z.object({ type: z.literal('failed'), why: z.string() }),
])
export type SherpaLine = z.output<typeof sherpaLine>
