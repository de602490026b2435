import type { Client } from '@integrity/client/every-endpoint'
import { encode } from 'uqr'
import type { SessionStatus } from '../core/session/agent-session.types.ts'
import type { Clock } from '../shared/clock.ts'
import type { Problem, WindowState } from '../shared/ipc/window-state.ts'
import { problemOf } from './problems.ts'

type PhoneView = NonNullable<WindowState['phone']>

export interface PhonePairingOptions {
  readonly clock: Clock
  readonly caller: () => { readonly client: Client; readonly sessionId: string } | undefined
  readonly onChange: () => void
}

const pollMs = 5000
/** While a code is on the screen, the candidate waits for the phone. */
const waitingPollMs = 2000

interface Invitation {
  readonly joinCode: string
  readonly url: string
  readonly expiresAt: string
  readonly qr: string[]
}

/** The QR picture as rows of 0 and 1, with the quiet zone that scanners want. */
export const qrRows = (text: string): string[] =>
  encode(text, { border: 2, ecc: 'M' }).data.map((row) => row.map((dark) => (dark ? '1' : '0')).join(''))

/** Pairs a phone for the session and follows how it does, while the policy wants one. */
export class PhonePairing {
  readonly #options: PhonePairingOptions
  #view: PhoneView = { state: 'not_wanted' }
  #invitation: Invitation | undefined
  #loop: AbortController | undefined

  constructor(options: PhonePairingOptions) {
    this.#options = options
  }

  view(): PhoneView {
    const { joinCode, url, expiresAt, qr } = this.#invitation ?? {}
    if (this.#view.state === 'none' && joinCode !== undefined) return { state: 'code', joinCode, url, expiresAt, qr }
    return this.#view
  }

  /** Follows while a session is captured whose policy wants a phone. */
  followSession(status: SessionStatus | undefined): void {
    const live = status?.phase === 'recording' || status?.phase === 'paused'
    this.follow(live && status.state.config?.sideView.enabled === true)
  }

  /** Follows the phone while `wanted`. */
  follow(wanted: boolean): void {
    if (wanted === (this.#loop !== undefined)) return
    this.#loop?.abort()
    this.#loop = undefined
    this.#invitation = undefined
    this.#view = { state: wanted ? 'none' : 'not_wanted' }
    if (!wanted) return
    this.#loop = new AbortController()
    void this.#follow(this.#loop.signal)
  }

  async invite(): Promise<Problem | undefined> {
    const caller = this.#options.caller()
    if (!caller || !this.#loop) return { code: 'phone_not_wanted' }
    try {
      const { data } = await caller.client.call('companion.joinLinks.create', { params: { id: caller.sessionId } })
      this.#invitation = { joinCode: data.joinCode, url: data.url, expiresAt: data.expiresAt, qr: qrRows(data.url) }
      this.#options.onChange()
      return undefined
    } catch (error) {
      return problemOf(error, 'session')
    }
  }

  /** Takes the code off the screen; it expires by itself. */
  cancel(): void {
    this.#invitation = undefined
    this.#options.onChange()
  }

  async #follow(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#read(signal)
      if (signal.aborted) return
      this.#expire()
      this.#options.onChange()
      await this.#options.clock.sleep(this.#invitation ? waitingPollMs : pollMs, signal)
    }
  }

  #expire(): void {
    const { clock } = this.#options
    if (this.#invitation && Date.parse(this.#invitation.expiresAt) <= clock.wallMs()) this.#invitation = undefined
  }

  /** What cannot be read leaves what was known. */
  async #read(signal: AbortSignal): Promise<void> {
    const caller = this.#options.caller()
    if (!caller) return
    try {
      const { data } = await caller.client.call('companion.get', { params: { id: caller.sessionId }, signal })
      if (signal.aborted) return
      if (!data.paired) {
        this.#view = { state: this.#view.state === 'paired' || this.#view.state === 'interrupted' ? 'ended' : 'none' }
        return
      }
      this.#invitation = undefined
      this.#view = {
        state: data.interruptedSince === null ? 'paired' : 'interrupted',
        recording: data.recording,
        ...(data.battery === null ? {} : { battery: data.battery }),
        ...(data.charging === null ? {} : { charging: data.charging }),
        ...(data.lastContactAt === null ? {} : { lastSeenAt: data.lastContactAt }),
        placementConfirmed: data.placement.confirmedAt !== null,
      }
    } catch {
      // The network's state is shown elsewhere.
    }
  }
}
