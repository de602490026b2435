import type { AtsCredentials } from '@integrity/protocol'
import * as z from 'zod'
import { misfit, parsed } from '../provider/parsed.ts'
import { ProviderFailed } from '../provider/provider-failed.ts'
import { readSignedJson } from '../signed-json.ts'
import { askAts, basic, type Http, holdsRef } from './ats-request.ts'
import { expectSignature, hmacHex, keyOfBody } from './signatures.ts'
import type { Ats, AtsAddresses, AtsNews, SignedMessage } from './types.ts'

const name = 'Ashby'
const api = 'https://api.ashbyhq.com'

const application = z.looseObject({
  id: z.string(),
  candidate: z.looseObject({
    id: z.string(),
    name: z.string().nullable(),
    primaryEmailAddress: z.looseObject({ value: z.string() }).nullish(),
  }),
  currentInterviewStage: z.looseObject({ id: z.string(), title: z.string() }).nullable(),
})
const applicationOf = ({ id, candidate, currentInterviewStage: stage }: z.output<typeof application>) => ({
  ...{ applicationId: id, candidateId: candidate.id, name: candidate.name },
  email: candidate.primaryEmailAddress?.value ?? null,
  stage: { id: stage?.id ?? null, name: stage?.title ?? null },
})
const verdict = z.looseObject({
  success: z.boolean(),
  results: z.unknown(),
  errorInfo: z.looseObject({ code: z.string().optional() }).nullish(),
  moreDataAvailable: z.boolean().nullish(),
  nextCursor: z.string().nullish(),
})

/** Every call is a POST; a refusal may come with 200 (developers.ashbyhq.com). */
export const createAshby = (
  { apiKey }: AtsCredentials<'ashby'>,
  { http, addresses }: { readonly http: Http; readonly addresses: AtsAddresses },
): Ats => {
  const call = async (method: string, json: object): Promise<z.output<typeof verdict>> => {
    const url = `${addresses.ashby ?? api}/${method}`
    const { text } = await askAts(http, name, { method: 'POST', url, headers: { authorization: basic(apiKey) }, json })
    const said = parsed(name, text, verdict)
    if (said.success) return said
    const code = /^[a-z_]{1,60}$/i.exec(said.errorInfo?.code ?? '')?.[0]
    throw new ProviderFailed('refused', `${name} refuses it (${code ?? 'no reason'})`)
  }
  return {
    async probe() {
      await call('apiKey.info', {})
    },
    readApplication: async (applicationId) =>
      applicationOf(
        parsed(name, JSON.stringify((await call('application.info', { applicationId })).results ?? null), application),
      ),
    async push({ candidateId }, { text, ref }, again) {
      const pageAt = async (cursor: string | undefined) => {
        const asked = { candidateId, limit: 100, ...(cursor !== undefined && { cursor }) }
        const { results, moreDataAvailable: more, nextCursor } = await call('candidate.listNotes', asked)
        return { text: JSON.stringify(results ?? null), next: more === true ? (nextCursor ?? undefined) : undefined }
      }
      if (again && (await holdsRef(pageAt, ref))) return
      const note = { type: 'text/plain', value: text }
      await call('candidate.createNote', { candidateId, note, sendNotifications: false })
    },
  }
}

const message = z.looseObject({
  webhookActionId: z.string().min(1).max(200).optional(),
  action: z.string(),
  data: z.looseObject({ application: z.unknown().optional() }).nullish(),
})

/** `Ashby-Signature: sha256=<hex>` over the very bytes. One event sent to several of their webhooks has one id. */
export const readAshby = (secret: string, { bytes, headers }: SignedMessage): AtsNews => {
  const [, given] = /^sha256=([0-9a-f]{64})$/i.exec(headers['ashby-signature'] ?? '') ?? []
  expectSignature(given, hmacHex(secret, bytes))
  const { data: said } = message.safeParse(readSignedJson(bytes))
  const keys = [said?.webhookActionId === undefined ? keyOfBody(bytes) : `id:${said.webhookActionId}`]
  if (said?.action !== 'candidateStageChange') return { keys }
  const known = application.safeParse(said.data?.application)
  if (!known.success) return { keys, unreadable: `data.application.${misfit(known.error)}` }
  const entered = applicationOf(known.data)
  return { keys, entered: { applicationId: entered.applicationId, stage: entered.stage, application: entered } }
}
