import { createHash } from 'node:crypto'

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

const contentOf = (page: string, tag: 'script' | 'style'): string => {
  const [, content] = new RegExp(`<${tag}>(.*?)</${tag}>`, 's').exec(page) ?? []
  if (content === undefined) throw new Error(`the page has no ${tag} of its own`)
  return content
}

/** Where a page takes pictures and sound from, and scripts beside its own. */
interface Allowed {
  readonly scripts?: string
  readonly media: string
}

/** What stands in the page alone. */
const nothingElse: Allowed = { media: 'blob:' }
/** Files of the folder that it was opened from. */
export const filesBeside: Allowed = { scripts: "'self' file:", media: "'self' file:" }

/** A page whose policy names what stands in it: a browser runs nothing else, and lets it use no network. */
export const withPolicy = (page: string, { scripts, media }: Allowed = nothingElse): string => {
  const script = [hashOf(contentOf(page, 'script')), scripts].filter(Boolean).join(' ')
  const own = `script-src ${script}; style-src ${hashOf(contentOf(page, 'style'))}`
  const policy = `default-src 'none'; ${own}; img-src ${media}; media-src ${media}; base-uri 'none'; form-action 'none'`
  return page.replace(/(http-equiv="Content-Security-Policy"\s+content=")[^"]*/, (_all, start) => `${start}${policy}`)
}
