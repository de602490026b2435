import type { ChatPlatform } from '@integrity/protocol'

export interface SlackSettings {
  readonly api: string
  readonly clientId: string | undefined
  readonly clientSecret: string | undefined
}

export interface Channel {
  readonly id: string
  readonly name: string
  readonly isPrivate: boolean
}

/** An announcement: one sentence, and where to look. Plain words; each platform writes them its way. */
export interface Announcement {
  readonly text: string
  readonly link: { readonly label: string; readonly url: string }
}

/**
 * A platform refuses, or cannot be asked. `ends`: the access is gone for good. `waits`: it may work later, after so many
 * milliseconds where it said how many.
 */
export class ChatFailed extends Error {
  override readonly name = 'ChatFailed'
  readonly kind: 'ends' | 'refused' | 'waits'
  readonly waitMs: number | undefined
  constructor(kind: 'ends' | 'refused' | 'waits', words: string, waitMs?: number) {
    super(words)
    this.kind = kind
    this.waitMs = waitMs
  }
}

/** What is kept of an installed app, sealed: a token, or the address of a workflow. */
export interface ChatAccess {
  readonly provider: ChatPlatform
  readonly secret: string
}

/** Each call may reject with `ChatFailed`. */
export interface Chat {
  channels(access: ChatAccess): Promise<readonly Channel[]>
  post(access: ChatAccess, channelId: string, announcement: Announcement): Promise<void>
  /** @returns whether the platform has taken the access back */
  revoke(access: ChatAccess): Promise<boolean>
}
