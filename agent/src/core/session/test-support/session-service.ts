import { type Meeting, type SessionConfig, sessionConfig } from '@integrity/protocol'
import { EvidenceService } from '../../upload/test-support/evidence-service.ts'
import { failure, type Handler, type SeenRequest, success } from '../../upload/test-support/scripted-server.ts'

export const consentDocument = {
  version: '1',
  locale: 'en',
  hash: 'a'.repeat(64),
  retentionDays: 90,
  lanes: [
    { lane: 'screen', required: true, title: 'Your screen', text: 'Pictures of your displays.' },
    { lane: 'microphone', required: false, title: 'Your microphone', text: 'The sound of your microphone.' },
    { lane: 'signals', required: true, title: 'What happens on the computer', text: 'Technical events.' },
  ],
}

const hindiHash = (hash: string): string => `d${hash.slice(1)}`

/** The agent's side of the service in memory: one session with one join code, plus uploads. */
export class SessionService {
  readonly evidence = new EvidenceService()
  config: SessionConfig = sessionConfig.parse({})
  policyVersion = 1
  meeting: Meeting | null = null
  state: 'scheduled' | 'live' | 'ended' = 'scheduled'
  codeUsed = false
  /** Everything about the session is answered with this status: it is not there any more. */
  gone: 404 | 410 | undefined
  documentHash = consentDocument.hash
  lanes = consentDocument.lanes
  brand: Record<string, unknown> = {}
  logo = Buffer.from('89504e470d0a1a0a00', 'hex')
  /** The links to the candidate's requests that were made, the newest last. */
  readonly requestLinks: string[] = []
  /** The address that its answers name as this service's. */
  baseUrl = 'https://interviews.example'
  readonly registrations: Record<string, unknown>[] = []
  readonly declines: Record<string, unknown>[] = []
  readonly ends: Record<string, unknown>[] = []
  readonly #now: () => number

  /** `now`: the service's own time, epoch ms. */
  constructor(now: () => number = Date.now) {
    this.#now = now
  }

  setConfig(overrides: Record<string, unknown>): void {
    this.config = sessionConfig.parse(overrides)
    this.policyVersion += 1
  }

  setMeeting(expectedApp: string | null): void {
    const url = 'https://meet.example.org/9'
    const label = expectedApp ?? 'meet.example.org'
    this.meeting = { provider: expectedApp?.toLowerCase() ?? 'other', url, label, startsAt: null, expectedApp }
    this.policyVersion += 1
  }

  removeMeeting(): void {
    this.meeting = null
    this.policyVersion += 1
  }

  /** The policy switches on a lane, which is asked about in a document of its own. */
  askFor(
    lane: { lane: string; required: boolean; title: string; text: string },
    policy: Record<string, unknown>,
  ): void {
    this.lanes = [...this.lanes, lane]
    this.documentHash = 'c'.repeat(64)
    this.setConfig(policy)
  }

  /** Data of the events of one kind, in the order of receipt. */
  eventsOf(kind: string): Record<string, unknown>[] {
    return [...this.evidence.events.values()]
      .filter((event) => event['kind'] === kind)
      .map((event) => event['data'] as never)
  }

  readonly handle: Handler = (request) => {
    const path = request.path.split('?')[0] ?? ''
    if (path === '/v1/sessions/join') return this.#join(request)
    if (request.headers.authorization !== 'Bearer sst_1') return failure(401, 'unauthorized')
    if (path === '/v1/orgs/org_1/branding/logo') return { status: 200, body: this.logo }
    if (this.gone !== undefined) return failure(this.gone, 'not_found')
    if (path === '/v1/candidate-requests/links/session') return this.#requestLink()
    if (path === '/v1/sessions') return this.#register(request)
    if (path === '/v1/sessions/ses_1/config') return this.#readConfig(request)
    if (path === '/v1/sessions/ses_1/decline') return this.#decline(request)
    if (path === '/v1/sessions/ses_1/end') {
      this.ends.push(JSON.parse(request.body.toString()) as Record<string, unknown>)
      this.state = 'ended'
      return success(this.#detail())
    }
    return this.evidence.handle(request)
  }

  #requestLink(): ReturnType<Handler> {
    const token = `crq_${String(this.requestLinks.length + 1).padStart(32, '0')}`
    const url = `${this.baseUrl}/requests/#ses_1.${token}`
    this.requestLinks.push(token)
    return success({ url, token, expiresAt: new Date(this.#now() + 7 * 86_400_000).toISOString() }, 201)
  }

  get #org() {
    return { name: 'Example Ltd', brand: this.brand }
  }

  /** In Hindi or English, as the service does. */
  #document(locale: string | null | undefined) {
    if (!locale?.startsWith('hi')) return { ...consentDocument, lanes: this.lanes, hash: this.documentHash }
    const lanes = this.lanes.map((lane) => ({ ...lane, title: `${lane.title} (hi)` }))
    return { ...consentDocument, locale: 'hi', lanes, hash: hindiHash(this.documentHash) }
  }

  #detail() {
    const { state, config, policyVersion, meeting } = this
    return { id: 'ses_1', state, config, policyVersion, meeting }
  }

  #join(request: SeenRequest): ReturnType<Handler> {
    const { joinCode, locale } = JSON.parse(request.body.toString()) as { joinCode: string; locale?: string }
    if (joinCode !== 'K7QF2M9X' || this.codeUsed) return failure(404, 'not_found')
    this.codeUsed = true
    const joined = success({
      sessionToken: 'sst_1',
      expiresAt: null,
      session: { id: 'ses_1', state: this.state, candidateLabel: 'Candidate 12' },
      org: this.#org,
      config: this.config,
      meeting: this.meeting,
      consentDocument: this.#document(locale),
    })
    return { ...joined, headers: { date: new Date(this.#now()).toUTCString() } }
  }

  #register(request: SeenRequest): ReturnType<Handler> {
    if (this.state === 'ended') return failure(409, 'conflict')
    const { consent } = JSON.parse(request.body.toString()) as { consent: { documentHash: string } }
    if (![this.documentHash, hindiHash(this.documentHash)].includes(consent.documentHash))
      return failure(409, 'conflict')
    this.registrations.push(JSON.parse(request.body.toString()) as Record<string, unknown>)
    if (this.state === 'scheduled') this.state = 'live'
    return success(this.#detail())
  }

  #decline(request: SeenRequest): ReturnType<Handler> {
    const said = JSON.parse(request.body.toString()) as { documentHash: string }
    if (this.state === 'ended' || said.documentHash !== this.documentHash) return failure(409, 'conflict')
    this.declines.push(said)
    return success(this.#detail())
  }

  #readConfig(request: SeenRequest): ReturnType<Handler> {
    const etag = `"${this.policyVersion}-${this.state}"`
    if (request.headers['if-none-match'] === etag) return { status: 304, headers: { etag } }
    const { policyVersion, config, state } = this
    const data = {
      policyVersion,
      config,
      state,
      meeting: this.meeting,
      consentDocument: this.#document(new URLSearchParams(request.path.split('?')[1]).get('locale')),
      org: this.#org,
      serverTime: new Date(this.#now()).toISOString(),
    }
    return { ...success(data), headers: { etag } }
  }
}
