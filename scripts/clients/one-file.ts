import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Nothing of a script or a style ends its element, or begins a comment that would hide its end. */
const withinPage = (text: string, address: string): string => {
  if (/<\/(?:script|style)|<!--/i.test(text)) throw new Error(`${address} cannot stand within a page`)
  return text.trim()
}

/** Loads the first script of a page that has many addresses, all below one folder: a relative one would lead astray. */
const loaderOf = (folder: string, address: string): string =>
  `import(location.pathname.replace(/\\/${folder}\\/.*/, '/${folder}/') + ${JSON.stringify(address)})`

/**
 * Puts what a built page loads first, its script and its styles, into the page itself, and takes the files away that only
 * this page had: each is one more way there and back, half a second on a phone's network. The server names them in the
 * page's policy by their hash. `addressFolder`: the folder of all addresses of a page that has many; its scripts stay beside it. Answers
 * what was put in.
 */
export const makeOneFile = (folder: string, page: string, addressFolder?: string): string[] => {
  const taken: string[] = []
  const take = (address: string): string => {
    taken.push(address)
    return withinPage(readFileSync(join(folder, address), 'utf8'), address)
  }
  const html = readFileSync(join(folder, page), 'utf8')
    .replace(/<link rel="stylesheet"([^>]*?) (?:crossorigin )?href="\.\/([^"]+)"[^>]*>/g, (_all, more, address) => {
      const id = /id="[^"]+"/.exec(more)?.[0]
      return `<style${id ? ` ${id}` : ''}>${take(address)}</style>`
    })
    .replace(/<script(?: type="(module)")?[^>]*? src="\.\/([^"]+)"[^>]*><\/script>/g, (_all, type, address) => {
      if (addressFolder !== undefined) return `<script type="module">${loaderOf(addressFolder, address)}</script>`
      return `<script${type ? ' type="module"' : ''}>${take(address)}</script>`
    })
  writeFileSync(join(folder, page), html)
  for (const address of taken) rmSync(join(folder, address))
  return taken
}
