import { pickLanguage } from '@integrity/protocol/clients/language'
import { shellTexts } from '@integrity/protocol/texts/areas/shell'
import { catalogueOf, type TextOf } from '@integrity/protocol/texts/catalogue'

/** What the shell itself says: the tray, its questions and notices. The window has its own catalogue. */
export const shellLanguages = catalogueOf(shellTexts)
export type ShellTexts = Readonly<Record<TextOf<typeof shellLanguages>, string>>

/** The texts for a BCP 47 tag; English where there are none. */
export const textsFor = (locale: string): ShellTexts => pickLanguage(shellLanguages, [locale]).texts

/** Bytes for people: KiB below one MiB, MiB above. */
export const sizeText = (bytes: number): string =>
  bytes >= 1024 ** 2 ? `${(bytes / 1024 ** 2).toFixed(1)} MiB` : `${Math.ceil(bytes / 1024)} KiB`
