import * as z from 'zod'
import { inOrder, periodOf } from '../../../core/period.ts'
import { freeObject, id, instant, listOf, paging, sha256Hex } from '../../../core/primitives.ts'
import { idFilter, wordOf } from '../../../core/query-words.ts'
import { auditActions } from './audit.actions.ts'

/** Lines of an export where no `limit` is named, and at most. */
export const exportLines = { usual: 10_000, most: 100_000 } as const
/** A total is counted so far; `totalIsExact` says whether there is more. */
export const auditTotalMax = 10_000

const action = wordOf(Object.keys(auditActions))

const filters = {
  action: action.optional().meta({ description: 'an action; one that is not known is refused' }),
  sessionId: idFilter('ses', 'a session').optional().meta({ description: 'what was done in this session' }),
  ...periodOf('at'),
}

export const auditListQuery = inOrder(
  z.object({
    ...paging,
    ...filters,
    userId: idFilter('usr', 'an account').optional().meta({ description: 'what this person did' }),
    texts: z.string().max(35).optional().meta({
      description: 'language of a sentence for each action, BCP 47; English where the service does not write that one',
    }),
  }),
)

const seq = z.number().int().min(1).meta({ description: 'place in the chain, from 1 without a gap' })

export const auditList = listOf(
  z.object({
    seq,
    at: instant,
    actor: z.object({
      kind: z.string(),
      id: z.string(),
      label: z.string().optional().meta({ description: 'address of a person, label of an API key' }),
    }),
    action: z.string(),
    text: z.string().optional().meta({ description: 'the action as a sentence; where `texts` asks for it' }),
    target: z.string().meta({ description: 'id of what was acted on' }),
    sessionId: id('ses').nullable(),
    payload: freeObject.optional().meta({ description: 'absent where there is none, or it was erased' }),
    hash: sha256Hex,
  }),
  {
    totalIsExact: z.boolean().meta({ description: `false where more than ${auditTotalMax} match` }),
  },
)

/**
 * `altered`: the row is not what its hash says, or its payload is not what it commits to. `missing`: no row has this number.
 * `reordered`: the row that belongs here stands later. `cut_off`: the chain was longer. `forked`: the head or a signed
 * checkpoint states another row here. `unsealed`: the head behind this row was not written by a server with the master key.
 * `checkpoint_missing`: the checkpoint that was kept here is gone. `checkpoint_foreign`: the one here is none of this server's.
 */
export const chainFaults = [
  'altered',
  'missing',
  'reordered',
  'cut_off',
  'forked',
  'unsealed',
  'checkpoint_missing',
  'checkpoint_foreign',
] as const

const verifierKey = z.string().meta({
  description: "the public key of this organisation's checkpoints, as a C2SP signed-note verifier key",
})
const note = z.string().meta({ description: 'C2SP tlog-checkpoint: origin, size, root and an Ed25519 signature' })

export const chainReport = z.object({
  ok: z.boolean(),
  rows: z.number().int().min(0).meta({ description: 'rows found good, up to the first bad one' }),
  head: z.object({
    seq: z.number().int().min(0),
    hash: z.string().meta({ description: 'SHA-256 of the last row; empty while there is none' }),
  }),
  checkpoint: note.optional().meta({ description: 'the newest kept one' }),
  verifierKey,
  firstBad: z.object({ seq: z.number().int(), reason: z.enum(chainFaults) }).optional(),
})

export const auditExportQuery = inOrder(
  z.object({
    afterSeq: z.coerce.number().int().min(0).max(1e15).default(0).meta({ description: 'begin behind this row' }),
    limit: z.coerce
      .number()
      .int()
      .min(1)
      .max(exportLines.most)
      .default(exportLines.usual)
      .meta({ description: `rows at most, 1 to ${exportLines.most}` }),
    ...filters,
  }),
)
