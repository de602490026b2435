import type { AtsCredentials } from '@integrity/protocol'
import * as z from 'zod'
import { askProvider } from '../provider/ask-provider.ts'
import { misfit, parsed } from '../provider/parsed.ts'
import { ProviderFailed } from '../provider/provider-failed.ts'
import { readSignedJson } from '../signed-json.ts'
import { askAts, basic, type Http, holdsRef, NotThere, writeBeside } from './ats-request.ts'
import { addressAmong, fullName } from './people.ts'
import { expectSignature, hmacHex, keyOfBody } from './signatures.ts'
import type { Ats, AtsAddresses, AtsNews, SignedMessage } from './types.ts'

const name = 'Greenhouse'
const api = 'https://harvest.greenhouse.io'
const auth = 'https://auth.greenhouse.io'
const early = 60_000
const hour = 3_600_000

type Credentials = AtsCredentials<'greenhouse'>

/** Numbers in their answers, texts here. */
const theirId = z.union([z.number(), z.string()]).transform(String)
const token = z.looseObject({
  access_token: z.string(),
  expires_at: z.string().optional(),
  expires_in: z.number().optional(),
})
const applications = z.array(
  z.looseObject({
    id: theirId,
    candidate_id: theirId,
    job_interview_stage_id: theirId.nullish(),
    stage_name: z.string().nullish(),
  }),
)
const candidates = z.array(
  z.looseObject({
    first_name: z.string().nullish(),
    last_name: z.string().nullish(),
    // Confidential and imported candidates have none, or one without a value.
    email_addresses: z.array(z.looseObject({ value: z.string().nullish() }).nullable()).nullish(),
  }),
)
type Person = z.output<typeof candidates>[number]
const personOf = ({ first_name: first, last_name: last, email_addresses: emails }: Person) => ({
  name: fullName(first, last),
  email: addressAmong((emails ?? []).map((one) => one?.value)),
})

/** Access for an hour, got once for all who ask at the same time. */
export class GreenhouseTokens {
  readonly #tokens = new Map<string, { readonly until: number; readonly token: Promise<string> }>()

  get(key: string, now: number, obtain: () => Promise<{ token: string; until: number }>): Promise<string> {
    const known = this.#tokens.get(key)
    if (known && known.until > now) return known.token
    // No more than there are integrations that were asked of lately.
    if (this.#tokens.size >= 500) this.#tokens.clear()
    const asking = obtain()
    const entry = { until: Number.POSITIVE_INFINITY, token: asking.then(({ token }) => token) }
    this.#tokens.set(key, entry)
    asking.then(
      ({ until }) => this.#tokens.get(key) === entry && this.#tokens.set(key, { ...entry, until }),
      () => this.#tokens.get(key) === entry && this.#tokens.delete(key),
    )
    return entry.token
  }

  /** That one alone: whoever asked at the same time may have got another one meanwhile. */
  forget(key: string, token: Promise<string>): void {
    if (this.#tokens.get(key)?.token === token) this.#tokens.delete(key)
  }
}

/** `<https://…?cursor=…>; rel="next"`: of it the cursor alone is used, which goes where the first question went. */
const cursorIn = (link: string | string[] | undefined): string | undefined => {
  const [, next = ''] = /<([^>]+)>;\s*rel="?next"?/.exec([link].flat().join(', ')) ?? []
  return URL.canParse(next) ? (new URL(next).searchParams.get('cursor') ?? undefined) : undefined
}

interface Place {
  readonly http: Http
  readonly addresses: AtsAddresses
  readonly tokens: GreenhouseTokens
  readonly now: () => number
}

/** A token for these credentials, and until when it may be used. */
const fetchToken = async ({ clientId, clientSecret, userId }: Credentials, { http, addresses, now }: Place) => {
  const { status, text } = await askProvider(http, name, {
    method: 'POST',
    url: `${addresses.greenhouseAuth ?? auth}/token`,
    headers: {
      authorization: basic(clientId, clientSecret),
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: new URLSearchParams({ grant_type: 'client_credentials', sub: userId }).toString(),
  })
  if ([400, 401, 403, 422].includes(status)) throw new ProviderFailed('ends', `${name} does not take the credentials`)
  if (status >= 300) throw new ProviderFailed('refused', `${name} gives no access (${status})`)
  const { access_token: access, expires_at: at, expires_in: inSeconds } = parsed(name, text, token)
  const said = at === undefined ? now() + (inSeconds === undefined ? hour : inSeconds * 1000) : Date.parse(at)
  return { token: access, until: (Number.isFinite(said) ? said : now() + hour) - early }
}

/** Asks with a token, and once more with another one: a token may end before its time. */
const askerOf = (credentials: Credentials, place: Place) => {
  const { clientId, clientSecret, userId } = credentials
  const { http, addresses, tokens, now } = place
  const base = `${addresses.greenhouse ?? api}/v3`
  const key = `${clientId}:${hmacHex(clientSecret, userId)}`
  const fetchFresh = () => fetchToken(credentials, place)
  return async (method: 'GET' | 'POST', path: string, json?: object) => {
    const once = (token: string) => {
      const headers = { authorization: `Bearer ${token}` }
      return askAts(http, name, { method, url: `${base}${path}`, headers, ...(json && { json }) })
    }
    const first = tokens.get(key, now(), fetchFresh)
    const token = await first
    try {
      return await once(token)
    } catch (error) {
      if (!(error instanceof ProviderFailed) || error.kind !== 'ends') throw error
      tokens.forget(key, first)
      return once(await tokens.get(key, now(), fetchFresh))
    }
  }
}

/** Harvest v3, with a customer's own credential (harvestdocs.greenhouse.io). */
export const createGreenhouse = (credentials: Credentials, place: Place): Ats => {
  const ask = askerOf(credentials, place)
  const readApplication = async (applicationId: string) => {
    const found = parsed(
      name,
      (await ask('GET', `/applications?ids=${encodeURIComponent(applicationId)}`)).text,
      applications,
    )
    const [application] = found
    if (!application) throw new NotThere(name)
    const { candidate_id: candidateId, job_interview_stage_id: stage, stage_name: stageName } = application
    const people = parsed(
      name,
      (await ask('GET', `/candidates?ids=${encodeURIComponent(candidateId)}`)).text,
      candidates,
    )
    const person = people[0] ? personOf(people[0]) : { name: null, email: null }
    return { applicationId, candidateId, ...person, stage: { id: stage ?? null, name: stageName ?? null } }
  }
  return {
    async probe() {
      await ask('GET', '/users?per_page=1')
    },
    readApplication,
    push: (to, { text, ref }, again) => {
      const write = async (candidateId: string) => {
        const first = `candidate_ids=${encodeURIComponent(candidateId)}&per_page=500`
        const pageAt = async (cursor: string | undefined) => {
          // A cursor stands alone.
          const query = cursor === undefined ? first : `cursor=${encodeURIComponent(cursor)}`
          const { text, headers } = await ask('GET', `/notes?${query}`)
          return { text, next: cursorIn(headers['link']) }
        }
        if (again && (await holdsRef(pageAt, ref))) return
        const ids = { candidate_id: Number(candidateId), user_id: Number(credentials.userId) }
        await ask('POST', '/notes', { ...ids, body: text, visibility: 'private', note_type: 'NOTE' })
      }
      return writeBeside(to, write, readApplication)
    },
  }
}

const message = z.looseObject({ action: z.string() })
const stageChange = z.looseObject({
  payload: z.looseObject({
    application: z.looseObject({
      id: theirId,
      candidate: candidates.element.extend({ id: theirId }),
      current_stage: z.looseObject({ id: theirId.nullish(), name: z.string().nullish() }).nullish(),
    }),
  }),
})

/** `Signature: sha256 <hex>` over the very bytes. The name of the event is in a header that is not signed. */
export const readGreenhouse = (secret: string, { bytes, headers }: SignedMessage): AtsNews => {
  const [scheme, given] = (headers['signature'] ?? '').split(' ')
  expectSignature(scheme === 'sha256' ? given : undefined, hmacHex(secret, bytes))
  const event = headers['greenhouse-event-id']
  const keys = [keyOfBody(bytes), ...(event === undefined ? [] : [`id:${event.slice(0, 200)}`])]
  const said = readSignedJson(bytes)
  if (message.safeParse(said).data?.action !== 'candidate_stage_change') return { keys }
  const known = stageChange.safeParse(said)
  if (!known.success) return { keys, unreadable: misfit(known.error) }
  const { id: applicationId, candidate, current_stage: current } = known.data.payload.application
  // A message that does not say where they stand is a hint to ask; one that says "in none" is no entering.
  if (current === null) return { keys, entered: { applicationId, stage: null } }
  const stage = { id: current?.id ?? null, name: current?.name ?? null }
  if (current === undefined) return { keys, entered: { applicationId, stage } }
  return {
    keys,
    entered: {
      applicationId,
      stage,
      application: { applicationId, candidateId: candidate.id, ...personOf(candidate), stage },
    },
  }
}
