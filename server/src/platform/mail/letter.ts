import { inOneLine, paragraphs, quoted } from './plain-text.ts'

/** A paragraph of ours, a person's own words, or a link with what it is for. */
export type LetterPart =
  | string
  | { readonly words: string }
  | { readonly link: string; readonly label: string }
  | undefined

export interface Letter {
  readonly subject: string
  readonly text: string
  readonly html: string
}

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => escapes[sign] ?? '')
const lines = (text: string): string => escaped(text).replaceAll('\n', '<br>\n')

const plain = (part: LetterPart): string | undefined => {
  if (part === undefined || typeof part === 'string') return part
  return 'link' in part ? `${part.label}\n${part.link}` : quoted(part.words)
}

/** Quoted as in plain text, so that neither shows what the other does not. */
const marked = (part: LetterPart): string[] => {
  if (part === undefined) return []
  if (typeof part === 'string') return [`<p>${lines(part)}</p>`]
  if ('words' in part) return [`<blockquote>${lines(quoted(part.words).replaceAll(/^> ?/gm, ''))}</blockquote>`]
  const link = escaped(part.link)
  return [`<p>${escaped(part.label)}<br>\n<a href="${link}">${link}</a></p>`]
}

/** One letter as plain text and as HTML that says the same and loads nothing. `language` is a BCP 47 tag. */
export const letterOf = (language: string, subject: string, parts: readonly LetterPart[]): Letter => {
  const title = inOneLine(subject)
  const head = `<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(title)}</title>`
  const style = 'max-width:36em;margin:1em auto;padding:0 1em;font:16px/1.5 sans-serif;overflow-wrap:anywhere'
  return {
    subject: title,
    text: `${paragraphs(...parts.map(plain))}\n`,
    html: `<!doctype html>\n<html lang="${escaped(language)}"><head>${head}</head>\n<body style="${style}">\n${parts.flatMap(marked).join('\n')}\n</body></html>\n`,
  }
}
