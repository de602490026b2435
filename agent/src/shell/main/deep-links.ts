import { resolve } from 'node:path'
import { app } from 'electron'

const linkScheme = 'integrity-agent'
const longestLink = 2000

/** The text when it is a link of ours, whatever it asks for; any other scheme, or a very long one, is nothing to us. */
const ourLink = (text: string): string | undefined => {
  if (text.length > longestLink || !URL.canParse(text)) return undefined
  return new URL(text).protocol === `${linkScheme}:` ? text : undefined
}

/** The link among a process's arguments: Windows and Linux hand it over there. */
const linkAmong = (args: readonly string[]): string | undefined => args.map(ourLink).find((link) => link !== undefined)

/** Tells the operating system that this program opens our links. The deb's desktop entry and the installers do too. */
export const claimLinks = (): void => {
  const script = process.argv[1]
  // Started by `electron .` the executable alone would open Electron's own page.
  if (process.defaultApp && script) app.setAsDefaultProtocolClient(linkScheme, process.execPath, [resolve(script)])
  else app.setAsDefaultProtocolClient(linkScheme)
}

/**
 * Hands every link over: of this start, of a second start (which ends by itself), and of macOS's open-url, which may
 * come before the app is ready. `onAgain` is a start without a link.
 */
export const listenForLinks = (onLink: (link: string) => void, onAgain: () => void): void => {
  app.on('open-url', (event, url) => {
    event.preventDefault()
    const link = ourLink(url)
    if (link !== undefined) onLink(link)
  })
  app.on('second-instance', (_event, args) => {
    const link = linkAmong(args)
    onAgain()
    if (link !== undefined) onLink(link)
  })
  const first = linkAmong(process.argv)
  if (first !== undefined) onLink(first)
}

/** Links that come before the core is open wait for it. */
export class LinkQueue {
  readonly #early: string[] = []
  #take: ((link: string) => void) | undefined
  again: () => void = () => {}

  open(link: string): void {
    if (this.#take) this.#take(link)
    else this.#early.push(link)
  }

  takeWith(take: (link: string) => void): void {
    this.#take = take
    // Of several early ones the last is what the candidate means.
    const link = this.#early.pop()
    if (link !== undefined) take(link)
  }
}
