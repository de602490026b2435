import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SecurityPolicyDocument } from '@integrity/protocol'
import * as z from 'zod'
import { describeError } from '../../core/upload/answers.ts'
import type { Clock } from '../../shared/clock.ts'
import { privateDir, writeDurably } from '../../shared/durable-file.ts'
import type { MinisignPublicKey } from '../minisign/minisign.ts'
import type { Published } from '../minisign/published.ts'
import { reopenSignedDocument, type SignedText } from '../minisign/signed-document.ts'
import type { Pinning } from './pins.ts'

export interface SecurityPolicyOptions {
  /** Where the newest policy is kept over restarts. */
  readonly dir: string
  readonly clock: Clock
  readonly random: () => number
  readonly keys?: readonly MinisignPublicKey[]
  /** Reads it from the service, over a connection that is not pinned; rejects when nobody answers. */
  readonly readPolicy: (signal: AbortSignal) => Promise<Published<SecurityPolicyDocument>>
  /** The pins in force now. Called when they are first known and whenever they may have changed. */
  readonly onPinning: (pinning: Pinning) => void
  readonly onTrouble: (trouble: string) => void
}

const everyMs = 60 * 60 * 1000
/** A mismatch asks for a newer policy at once, but not more often than this. */
const leastMs = 60 * 1000

const savedText = z.object({ document: z.string(), signature: z.string() })

/**
 * The pins that hold at `nowMs`. A policy goes on holding after its expiry until a newer one comes, but what it lifted
 * is lifted only until then: who can keep newer policies away must not keep pinning off forever.
 */
export const pinningAt = ({ pinning, expiresAt }: SecurityPolicyDocument, nowMs: number): Pinning => ({
  ...pinning,
  enforced: pinning.enforced || Date.parse(expiresAt) <= nowMs,
})

/** Keeps the newest security policy: from disk at once, from the service on start and about every hour. */
export class SecurityPolicyKeeper {
  readonly #options: SecurityPolicyOptions
  readonly #path: string
  readonly #stop = new AbortController()
  #policy: SecurityPolicyDocument | undefined
  #running: Promise<void> | undefined
  #wake = new AbortController()

  constructor(options: SecurityPolicyOptions) {
    this.#options = options
    this.#path = join(options.dir, 'security-policy.json')
  }

  /** Reads what an earlier run kept. To be awaited before the first connection; a damaged file counts as none. */
  async load(): Promise<void> {
    const saved = await this.#saved()
    if (!saved) return
    const opened = await reopenSignedDocument(saved, { kind: 'security_policy' }, this.#options.keys)
    if (opened.ok) this.#take(opened.document)
    else this.#options.onTrouble(opened.refusal.message)
  }

  start(): void {
    this.#running ??= this.#run()
  }

  async stop(): Promise<void> {
    this.#stop.abort()
    await this.#running
  }

  /** Looks for a newer policy soon, as after a connection that the pins refused. */
  refreshSoon(): void {
    this.#wake.abort()
  }

  async #run(): Promise<void> {
    const { clock, random } = this.#options
    const { signal } = this.#stop
    while (!signal.aborted) {
      this.#wake = new AbortController()
      await this.#refresh(signal)
      await clock.sleep(leastMs, signal)
      await clock.sleep(everyMs * (0.9 + 0.2 * random()), AbortSignal.any([signal, this.#wake.signal]))
    }
  }

  async #refresh(signal: AbortSignal): Promise<void> {
    try {
      const published = await this.#options.readPolicy(signal)
      if (published.kind === 'refused') this.#options.onTrouble(published.refusal.message)
      if (published.kind !== 'document') return
      this.#take(published.document)
      await this.#save(published.signed)
    } catch (error) {
      if (!signal.aborted) this.#options.onTrouble(describeError(error))
    } finally {
      // What was lifted may have run out in the meantime.
      if (this.#policy) this.#take(this.#policy)
    }
  }

  #take(policy: SecurityPolicyDocument): void {
    this.#policy = policy
    this.#options.onPinning(pinningAt(policy, this.#options.clock.wallMs()))
  }

  async #saved(): Promise<SignedText | undefined> {
    try {
      return savedText.parse(JSON.parse(await readFile(this.#path, 'utf8')))
    } catch {
      return undefined
    }
  }

  async #save({ document, signature }: SignedText): Promise<void> {
    const saved = await this.#saved()
    if (saved?.document === document && saved.signature === signature) return
    await privateDir(this.#options.dir)
    await writeDurably(this.#path, Buffer.from(JSON.stringify({ document, signature })))
  }
}
