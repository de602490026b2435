import type { AtsCredentials } from '@integrity/protocol'
import * as z from 'zod'
import { askAts, type Http, parsed } from './ats-request.ts'
import { expectSignature, hmacHex, keyOfBody, notSigned } from './signatures.ts'
import type { Ats, AtsAddresses, AtsNews, SignedMessage } from './types.ts'

const name = 'Teamtailor'
const hosts = {
  eu: 'https://api.teamtailor.com',
  na: 'https://api.na.teamtailor.com',
  ap: 'https://api.au.teamtailor.com',
} as const
/** The version whose shapes these are; they echo it. */
const version = '20240404'
const skew = 300_000

const document = z.looseObject({
  data: z.looseObject({
    relationships: z.looseObject({
      candidate: z.looseObject({ data: z.looseObject({ id: z.string() }) }),
      stage: z.looseObject({ data: z.looseObject({ id: z.string() }).nullish() }).optional(),
    }),
  }),
  included: z.array(
    z.looseObject({
      type: z.string(),
      attributes: z.looseObject({
        'first-name': z.string().nullish(),
        'last-name': z.string().nullish(),
        email: z.string().nullish(),
        name: z.string().nullish(),
      }),
    }),
  ),
})

/** JSON:API; a key works in its own region only (docs.teamtailor.com). */
export const createTeamtailor = (
  { apiKey, region, userId }: AtsCredentials<'teamtailor'>,
  { http, addresses }: { readonly http: Http; readonly addresses: AtsAddresses },
): Ats => {
  const ask = (method: 'GET' | 'POST', path: string, json?: object) =>
    askAts(http, name, {
      ...{ method, url: `${addresses.teamtailor ?? hosts[region]}/v1${path}` },
      headers: { authorization: `Token token=${apiKey}`, 'x-api-version': version, accept: 'application/vnd.api+json' },
      ...(json && { json }),
    })
  return {
    async probe() {
      await ask('GET', '/users?page%5Bsize%5D=1')
    },
    async readApplication(applicationId) {
      const path = `/job-applications/${encodeURIComponent(applicationId)}?include=candidate,stage`
      const { data, included } = parsed(name, (await ask('GET', path)).text, document)
      const person = included.find(({ type }) => type === 'candidates')?.attributes
      const stage = included.find(({ type }) => type === 'stages')?.attributes
      return {
        ...{ applicationId, candidateId: data.relationships.candidate.data.id },
        name: [person?.['first-name'], person?.['last-name']].filter(Boolean).join(' ') || null,
        email: person?.email ?? null,
        stage: { id: data.relationships.stage?.data?.id ?? null, name: stage?.name ?? null },
      }
    },
    // Notes cannot be looked up by their candidate: one that was cut off may stand there twice.
    async push({ candidateId }, { text }) {
      await ask('POST', '/notes', {
        data: {
          ...{ type: 'notes', attributes: { note: text } },
          relationships: {
            candidate: { data: { type: 'candidates', id: candidateId } },
            user: { data: { type: 'users', id: userId } },
          },
        },
      })
    },
  }
}

const message = z.looseObject({
  payload: z.looseObject({
    event_name: z.string(),
    data: z.looseObject({
      id: z.union([z.string(), z.number()]).transform(String),
      attributes: z
        .looseObject({ stage_name: z.string().nullish(), stage_id: z.union([z.string(), z.number()]).nullish() })
        .optional(),
    }),
  }),
})

/** `TT-Signature`: base64 of `t=<seconds>,v2=<hex>`, over `t.` and the very bytes. They try once. */
export const readTeamtailor = (secret: string, { bytes, headers, now }: SignedMessage): AtsNews => {
  const sent = Buffer.from(headers['tt-signature'] ?? '', 'base64').toString('utf8')
  const [, seconds = '', given] = /^t=(\d{1,12}),v2=([0-9a-f]{64})$/i.exec(sent) ?? []
  expectSignature(given, hmacHex(secret, `${seconds}.`, bytes))
  if (Math.abs(Number(seconds) * 1000 - now) > skew) throw notSigned()
  const keys = [keyOfBody(bytes)]
  const known = message.safeParse(JSON.parse(bytes.toString('utf8')))
  if (!known.success || !known.data.payload.event_name.startsWith('job_application.')) return { keys }
  const { id: applicationId, attributes } = known.data.payload.data
  const stageId = attributes?.stage_id
  const stage = { id: stageId == null ? null : String(stageId), name: attributes?.stage_name ?? null }
  return { keys, entered: { applicationId, stage } }
}
