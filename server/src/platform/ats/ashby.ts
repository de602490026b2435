import type { AtsCredentials } from '@integrity/protocol'
import * as z from 'zod'
import { misfit, parsed } from '../provider/parsed.ts'
import { ProviderFailed } from '../provider/provider-failed.ts'
import { readSignedJson } from '../signed-json.ts'
import { askAts, basic, codeIn, type Http, holdsRef, NotThere, writeBeside } from './ats-request.ts'
import { addressAmong } from './people.ts'
import { expectSignature, hmacHex, keyOfBody } from './signatures.ts'
import type { Ats, AtsAddresses, AtsNews, SignedMessage } from './types.ts'

const name = 'Ashby'
const api = 'https://api.ashbyhq.com'

const address = z.looseObject({ value: z.string().nullish() }).nullish()
const application = z.looseObject({
  id: z.string(),
  candidate: z.looseObject({
    id: z.string(),
    name: z.string().nullish(),
    primaryEmailAddress: address,
    emailAddresses: z.array(address).nullish(),
  }),
  currentInterviewStage: z.looseObject({ id: z.string().nullish(), title: z.string().nullish() }).nullish(),
})
const applicationOf = ({ id, candidate, currentInterviewStage: stage }: z.output<typeof application>) => ({
  applicationId: id,
  candidateId: candidate.id,
  name: candidate.name ?? null,
  email: addressAmong([candidate.primaryEmailAddress, ...(candidate.emailAddresses ?? [])].map((one) => one?.value)),
  stage: { id: stage?.id ?? null, name: stage?.title ?? null },
})
const answer = z.looseObject({
  success: z.boolean(),
  // A refusal has none.
  results: z.unknown().optional(),
  moreDataAvailable: z.boolean().nullish(),
  nextCursor: z.string().nullish(),
})

/** Their codes, which may come with status 200. The list is open: what is not known is final. */
const refusalOf = (code: string | undefined): ProviderFailed => {
  const said = `(${code ?? 'it gives no code'})`
  if (code === undefined) return new ProviderFailed('refused', `${name} refuses it ${said}`)
  if (/rate_limit|too_many/i.test(code)) return new ProviderFailed('waits', `${name} asks for fewer messages ${said}`)
  if (/internal|server_error|timeout|timed_out|unavailable|temporar/i.test(code))
    return new ProviderFailed('waits', `${name} is in trouble ${said}`)
  if (/api_?key|unauthenticated/i.test(code))
    return new ProviderFailed('ends', `${name} does not take the credentials ${said}`)
  if (/permission|forbidden|scope/i.test(code))
    return new ProviderFailed('refused', `${name} does not let these credentials do that: a right is missing ${said}`)
  if (/_not_found$/i.test(code)) return new NotThere(name, code)
  return new ProviderFailed('refused', `${name} refuses it ${said}`)
}

/** Every call is a POST; a refusal may come with 200 (developers.ashbyhq.com). */
export const createAshby = (
  { apiKey }: AtsCredentials<'ashby'>,
  { http, addresses }: { readonly http: Http; readonly addresses: AtsAddresses },
): Ats => {
  const call = async (method: string, json: object): Promise<z.output<typeof answer>> => {
    const url = `${addresses.ashby ?? api}/${method}`
    const { text } = await askAts(http, name, { method: 'POST', url, headers: { authorization: basic(apiKey) }, json })
    const said = parsed(name, text, answer)
    if (said.success) return said
    throw refusalOf(codeIn(said))
  }
  const readApplication = async (applicationId: string) =>
    applicationOf(
      parsed(name, JSON.stringify((await call('application.info', { applicationId })).results ?? null), application),
    )
  return {
    async probe() {
      await call('apiKey.info', {})
    },
    readApplication,
    push: (to, { text, ref }, again) => {
      const write = async (candidateId: string) => {
        const pageAt = async (cursor: string | undefined) => {
          const asked = { candidateId, limit: 100, ...(cursor !== undefined && { cursor }) }
          const { results, moreDataAvailable: more, nextCursor } = await call('candidate.listNotes', asked)
          return { text: JSON.stringify(results ?? null), next: more === true ? (nextCursor ?? undefined) : undefined }
        }
        if (again && (await holdsRef(pageAt, ref))) return
        const note = { type: 'text/plain', value: text }
        await call('candidate.createNote', { candidateId, note, sendNotifications: false })
      }
      return writeBeside(to, write, readApplication)
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
  const { currentInterviewStage: stage } = known.data
  if (stage === undefined) return { keys, entered: { applicationId: entered.applicationId, stage: entered.stage } }
  if (stage === null) return { keys, entered: { applicationId: entered.applicationId, stage: null } }
  return { keys, entered: { applicationId: entered.applicationId, stage: entered.stage, application: entered } }
}
