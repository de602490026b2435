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

/** What is kept of an installed app, sealed: a token, or the address of a workflow. */
export interface ChatAccess {
  readonly provider: ChatPlatform
  readonly secret: string
}

/** Each call may reject with `ProviderFailed`. */
export interface Chat {
  channels(access: ChatAccess): Promise<readonly Channel[]>
  post(access: ChatAccess, channelId: string, announcement: Announcement): Promise<void>
  /** @returns whether the platform has taken the access back */
  revoke(access: ChatAccess): Promise<boolean>
}
