import type { AtsCredentials } from '@integrity/protocol'
import * as z from 'zod'
import { misfit, parsed } from '../provider/parsed.ts'
import { readSignedJson } from '../signed-json.ts'
import { askAts, type Http, holdsRef, writeBeside } from './ats-request.ts'
import { addressAmong, fullName } from './people.ts'
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
      stage: z.looseObject({ data: z.looseObject({ id: z.string() }).nullish() }).nullish(),
    }),
  }),
  included: z.array(z.looseObject({ type: z.string(), attributes: z.looseObject({}).nullish() })).nullish(),
})
const candidate = z.looseObject({
  'first-name': z.string().nullish(),
  'last-name': z.string().nullish(),
  email: z.string().nullish(),
})
const stageShape = z.looseObject({ name: z.string().nullish() })

const jsonApi = 'application/vnd.api+json'
const notesPage = z.looseObject({ links: z.looseObject({ next: z.string().nullish() }).nullish() })

interface Note {
  readonly text: string
  readonly candidateId: string
  readonly userId: string
}

const noteOf = ({ text, candidateId, userId }: Note) => ({
  data: {
    type: 'notes',
    attributes: { note: text },
    relationships: {
      candidate: { data: { type: 'candidates', id: candidateId } },
      user: { data: { type: 'users', id: userId } },
    },
  },
})

/** JSON:API; a key works in its own region only (docs.teamtailor.com). */
export const createTeamtailor = (
  { apiKey, region, userId }: AtsCredentials<'teamtailor'>,
  { http, addresses }: { readonly http: Http; readonly addresses: AtsAddresses },
): Ats => {
  const ask = (method: 'GET' | 'POST', path: string, json?: object) =>
    askAts(http, name, {
      method,
      url: `${addresses.teamtailor ?? hosts[region]}/v1${path}`,
      headers: {
        authorization: `Token token=${apiKey}`,
        'x-api-version': version,
        accept: jsonApi,
        // A body of another type is refused with 415 (jsonapi.org/format, content negotiation).
        ...(json && { 'content-type': jsonApi }),
      },
      ...(json && { json }),
    })
  const readApplication = async (applicationId: string) => {
    const path = `/job-applications/${encodeURIComponent(applicationId)}?include=candidate,stage`
    const { data, included } = parsed(name, (await ask('GET', path)).text, document)
    const attributesOf = (type: string) =>
      JSON.stringify(included?.find((one) => one.type === type)?.attributes ?? null)
    const person = parsed(name, attributesOf('candidates'), candidate.nullable())
    const stage = parsed(name, attributesOf('stages'), stageShape.nullable())
    return {
      applicationId,
      candidateId: data.relationships.candidate.data.id,
      name: fullName(person?.['first-name'], person?.['last-name']),
      email: addressAmong([person?.email]),
      stage: { id: data.relationships.stage?.data?.id ?? null, name: stage?.name ?? null },
    }
  }
  return {
    async probe() {
      await ask('GET', '/users?page%5Bsize%5D=1')
    },
    readApplication,
    push: (to, { text, ref }, again) => {
      const write = async (candidateId: string) => {
        // Where a server knew no such filter it would list the notes of all: the name is looked for in them, too.
        const list = `/notes?filter%5Bcandidate%5D=${encodeURIComponent(candidateId)}&page%5Bsize%5D=30`
        const pageAt = async (behind: string | undefined) => {
          const number = behind ?? '1'
          const { text: page } = await ask('GET', `${list}&page%5Bnumber%5D=${number}`)
          const hasNext = Boolean(parsed(name, page, notesPage).links?.next)
          return { text: page, next: hasNext ? String(Number(number) + 1) : undefined }
        }
        if (again && (await holdsRef(pageAt, ref))) return
        await ask('POST', '/notes', noteOf({ text, candidateId, userId }))
      }
      return writeBeside(to, write, readApplication)
    },
  }
}

const message = z.looseObject({ payload: z.looseObject({ event_name: z.string() }) })
const change = z.looseObject({
  payload: z.looseObject({
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
  const said = readSignedJson(bytes)
  if (!message.safeParse(said).data?.payload.event_name.startsWith('job_application.')) return { keys }
  const known = change.safeParse(said)
  if (!known.success) return { keys, unreadable: misfit(known.error) }
  const { id: applicationId, attributes } = known.data.payload.data
  const stageId = attributes?.stage_id
  const stage = { id: stageId == null ? null : String(stageId), name: attributes?.stage_name ?? null }
  return { keys, entered: { applicationId, stage } }
}
