import { createHash } from 'node:crypto'

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

const contentOf = (page: string, tag: 'script' | 'style'): string => {
  const [, content] = new RegExp(`<${tag}>(.*?)</${tag}>`, 's').exec(page) ?? []
  if (content === undefined) throw new Error(`the page has no ${tag} of its own`)
  return content
}

/** A page whose policy names what stands in it: a browser runs nothing else, and lets it load and send nothing. */
export const withPolicy = (page: string): string => {
  const own = `script-src ${hashOf(contentOf(page, 'script'))}; style-src ${hashOf(contentOf(page, 'style'))}`
  const policy = `default-src 'none'; ${own}; img-src blob:; media-src blob:; base-uri 'none'; form-action 'none'`
  return page.replace(/(http-equiv="Content-Security-Policy"\s+content=")[^"]*/, (_all, start) => `${start}${policy}`)
}
