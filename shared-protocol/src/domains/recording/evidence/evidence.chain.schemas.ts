import * as z from 'zod'
import { id, instant, sha256Hex } from '../../../core/primitives.ts'
import { captureKey } from '../../interviews/capture-keys/capture-keys.schemas.ts'
import { evidenceTypeNames } from '../../interviews/lanes/lanes.evidence.ts'

/** Places in a chain, both ends included. */
const stretch = z.object({ from: z.number().int(), to: z.number().int() })

const chainOfKey = z.object({
  key: captureKey,
  documentHash: sha256Hex.meta({ description: 'the consent document that was answered when the key was made' }),
  signature: z.string().meta({ description: 'of the registration, by the key itself' }),
  registeredAt: instant,
  items: z.number().int().meta({ description: 'items that are here and signed by this key' }),
  gaps: z.array(stretch).meta({ description: 'the first hundred places of which no item is here' }),
  missingItems: z.number().int().meta({ description: 'places of which no item is here, all of them' }),
  breaks: z.array(z.number().int()).meta({
    description: 'the first hundred places that do not name the item before as it is served here',
  }),
  brokenPlaces: z.number().int(),
  repeated: z.array(z.number().int()).meta({ description: 'the first hundred places that more than one item claims' }),
  repeatedItems: z.number().int(),
  end: z
    .object({ items: z.number().int(), last: sha256Hex, signature: z.string(), at: instant })
    .nullable()
    .meta({ description: 'what the machine said at the end; null where the session did not end on the machine' }),
})

/** What of a session's evidence is shown to be what a machine sent, in its order. */
export const captureChain = z
  .object({
    sessionId: id('ses'),
    chains: z.array(chainOfKey),
    signedItems: z.number().int(),
    notVerifiedItems: z.number().int().meta({ description: 'came with a signature that does not fit' }),
    notSigned: z.array(z.object({ evidenceType: z.enum(evidenceTypeNames), items: z.number().int() })).meta({
      description: 'not signed by the machine: from a phone, a room, or an application that does not sign',
    }),
  })
  .meta({ id: 'CaptureChain' })

/** The same in numbers, whatever the keys. */
export const captureChainSummary = z.object({
  keys: z.number().int().meta({ description: '0: no machine signed in this session' }),
  signedItems: z.number().int(),
  notVerifiedItems: z.number().int(),
  notSignedItems: z.number().int(),
  missingItems: z.number().int(),
  brokenPlaces: z.number().int(),
  repeatedItems: z.number().int(),
})
