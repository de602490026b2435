import type { IntegrityError } from '@integrity/client/errors'
import type { PackOutcomes } from '@integrity/client/send-packed'
import { failed } from '@integrity/client/test-support/failed'
import type { CredentialEnding } from '@integrity/protocol'
import type { ConsentDocument, RoomFacts, Still } from '../src/session/room.types.ts'
import type { ConsentAnswer, RoomApi } from '../src/session/room-api.ts'

const document = (hash: string): ConsentDocument => ({
  version: '1',
  locale: 'en',
  hash: hash.repeat(64),
  retentionDays: 90,
  aids: [],
  lanes: [{ lane: 'room_camera', required: false, title: 'The camera in the room', text: 'Pictures.' }],
})

const camera = { enabled: true, stills: true, stillIntervalSeconds: 10, clips: false, clipSeconds: 10 }

/** The service as the room sees it, in memory: what it holds, and how it answers. */
export class FakeService implements RoomApi {
  facts: RoomFacts = {
    session: { id: 'ses_1', candidateLabel: 'A. Candidate', state: 'live', schedule: null },
    org: { name: 'Org', brand: {} },
    inviter: null,
    config: { camera },
    consentDocument: document('a'),
    consent: null,
    device: { id: 'rmd_1', label: 'Room 4' },
  }
  /** By client id, in the order of their arrival: the same one again is the same still. */
  readonly stills = new Map<string, Still>()
  readonly answers: ConsentAnswer[] = []
  sends = 0
  reads = 0
  /** How many stills came in each request. */
  readonly packs: number[] = []
  /** Older services take one at a time. */
  hasPacks = true
  released = 0
  online = true
  /** `nothing it knows`: a refusal that gives no reason. */
  ended: CredentialEnding | 'nothing it knows' | undefined
  /** Takes the next still and loses its answer on the way. */
  loseAnswer = false
  /** How the next stills are answered instead of being taken. */
  readonly sendProblems: IntegrityError[] = []

  async read(): Promise<RoomFacts> {
    this.reads += 1
    this.#reach()
    return this.facts
  }

  async answer(answer: ConsentAnswer): Promise<RoomFacts> {
    this.#reach()
    const { consentDocument } = this.facts
    if (answer.documentHash !== consentDocument.hash) throw failed('conflict', { extra: { consentDocument } })
    this.answers.push(answer)
    this.setConsent(answer.accepted)
    return this.facts
  }

  async sendPack(stills: readonly Still[]): Promise<PackOutcomes> {
    this.sends += 1
    this.#reach()
    if (!this.hasPacks) throw failed('not_found')
    const problem = this.sendProblems.shift()
    if (problem?.isPassing) throw problem
    this.packs.push(stills.length)
    const outcomes = stills.map(({ clientId }, index) => {
      if (problem && index === 0)
        return { clientId, status: 'refused' as const, error: { code: problem.code, message: problem.message } }
      return { clientId, status: this.stills.has(clientId) ? ('known' as const) : ('stored' as const) }
    })
    for (const still of problem ? stills.slice(1) : stills) this.stills.set(still.clientId, still)
    this.#loseOne()
    return outcomes
  }

  async send(still: Still): Promise<void> {
    this.sends += 1
    this.#reach()
    const problem = this.sendProblems.shift()
    if (problem) throw problem
    this.stills.set(still.clientId, still)
    this.#loseOne()
  }

  #loseOne(): void {
    if (!this.loseAnswer) return
    this.loseAnswer = false
    throw failed('later')
  }

  async release(): Promise<void> {
    this.#reach()
    this.released += 1
    this.ended = 'released'
  }

  setConsent(granted: boolean): void {
    this.facts = { ...this.facts, consent: { granted, at: '2026-11-20T09:00:00.000Z', withdrawnAt: null } }
  }

  setCamera(change: Partial<typeof camera>): void {
    this.facts = { ...this.facts, config: { camera: { ...this.facts.config.camera, ...change } } }
  }

  changeDocument(): void {
    this.facts = { ...this.facts, consentDocument: document('b') }
  }

  #reach(): void {
    if (!this.online) throw failed('later')
    if (this.ended === 'nothing it knows') throw failed('unauthorized')
    if (this.ended) throw failed('unauthorized', { extra: { reason: this.ended } })
  }
}
