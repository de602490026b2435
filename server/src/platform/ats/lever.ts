import type { AtsCredentials } from '@integrity/protocol'
import * as z from 'zod'
import { misfit, parsed } from '../provider/parsed.ts'
import { readSignedJson } from '../signed-json.ts'
import { askAts, basic, type Http, holdsRef } from './ats-request.ts'
import { addressAmong } from './people.ts'
import { expectSignature, hmacHex, notSigned } from './signatures.ts'
import type { Ats, AtsAddresses, AtsNews, SignedMessage } from './types.ts'

const name = 'Lever'
const hosts = {
  global: 'https://api.lever.co',
  eu: 'https://api.eu.lever.co',
  sandbox: 'https://api.sandbox.lever.co',
} as const
/**
 * Their log offers to send a message again for a fortnight, with the stamp that it had at first. Its token is remembered for
 * longer, so that none counts twice.
 */
const oldest = 15 * 24 * 3_600_000
const skew = 300_000

const opportunity = z.looseObject({
  data: z.looseObject({
    id: z.string(),
    name: z.string().nullish(),
    emails: z.array(z.string().nullable()).nullish(),
    stage: z.union([z.string(), z.looseObject({ id: z.string(), text: z.string().nullish() })]).nullish(),
  }),
})

const notesPage = z.looseObject({ next: z.string().nullish(), hasNext: z.boolean().nullish() })

/** Everything hangs on the opportunity (hire.lever.co/developer/documentation). */
export const createLever = (
  { apiKey, region }: AtsCredentials<'lever'>,
  { http, addresses }: { readonly http: Http; readonly addresses: AtsAddresses },
): Ats => {
  const base = `${addresses.lever ?? hosts[region]}/v1`
  const ask = (method: 'GET' | 'POST', path: string, json?: object) =>
    askAts(http, name, {
      method,
      url: `${base}${path}`,
      headers: { authorization: basic(apiKey) },
      ...(json && { json }),
    })
  return {
    async probe() {
      await ask('GET', '/users?limit=1')
    },
    async readApplication(applicationId) {
      const { text } = await ask('GET', `/opportunities/${encodeURIComponent(applicationId)}?expand=stage`)
      const { name: person, emails, stage } = parsed(name, text, opportunity).data
      const at =
        typeof stage === 'string' ? { id: stage, name: null } : { id: stage?.id ?? null, name: stage?.text ?? null }
      return {
        applicationId,
        candidateId: applicationId,
        name: person ?? null,
        email: addressAmong(emails ?? []),
        stage: at,
      }
    },
    async push({ applicationId, candidateId }, { text, ref }, again) {
      const notes = `/opportunities/${encodeURIComponent(applicationId)}/notes`
      const pageAt = async (offset: string | undefined) => {
        const behind = offset === undefined ? '' : `&offset=${encodeURIComponent(offset)}`
        const { text } = await ask('GET', `${notes}?limit=100${behind}`)
        const { next, hasNext } = parsed(name, text, notesPage)
        return { text, next: hasNext === true ? (next ?? undefined) : undefined }
      }
      if (again && (await holdsRef(pageAt, ref))) return candidateId
      // An at sign would call people.
      await ask('POST', notes, { value: text.replaceAll('@', '@\u200b'), secret: false, notifyFollowers: false })
      return candidateId
    },
  }
}

const message = z.looseObject({
  id: z.string().max(200).optional(),
  event: z.string().optional(),
  triggeredAt: z.number(),
  token: z.string().min(1).max(200),
  signature: z.string(),
  data: z.unknown(),
})
const stageChange = z.looseObject({ opportunityId: z.string(), toStageId: z.string().nullish() })

/** The signature is within: so much is parsed of what anybody may have written. Their messages hold some twenty values. */
const maxValues = 500

const isEmpty = (data: unknown): boolean => Object.keys(data ?? {}).length === 0

/**
 * Their signature is in the body and covers `token` and `triggeredAt` alone: whoever saw one message can write others
 * around it. So the token counts once, and of what it says nothing but ids is used; the rest is asked for.
 */
export const readLever = (secret: string, { bytes, now }: SignedMessage): AtsNews => {
  const { success, data: known } = message.safeParse(readSignedJson(bytes, maxValues))
  if (!success) throw notSigned()
  const { id, event, triggeredAt, token, signature, data } = known
  expectSignature(signature, hmacHex(secret, token, String(triggeredAt)))
  if (triggeredAt < now - oldest || triggeredAt > now + skew) throw notSigned()
  const keys = [`token:${token}`, ...(id === undefined ? [] : [`id:${id}`])]
  // Their button for a test sends no data.
  if (event !== 'candidateStageChange' || isEmpty(data)) return { keys }
  const change = stageChange.safeParse(data)
  if (!change.success) return { keys, unreadable: `data.${misfit(change.error)}` }
  const { opportunityId: applicationId, toStageId } = change.data
  return { keys, entered: { applicationId, stage: toStageId === null ? null : { id: toStageId ?? null, name: null } } }
}
