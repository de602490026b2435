import { htmlText } from '../html-text.ts'
import type { InlinePicture } from './mail.ts'
import { inOneLine, paragraphs, quoted } from './plain-text.ts'

/** A paragraph of ours, a person's own words, or a link with what it is for: as a button, where it has one. */
export type LetterPart =
  | string
  | { readonly words: string }
  | { readonly link: string; readonly label: string; readonly button?: string }
  | undefined

/** How the sender looks. The colours are a pair that can be read; everything else is in the reader's own. */
export interface LetterLook {
  readonly name: string
  readonly accent: string
  readonly accentText: string
  /** In CSS pixels. */
  readonly logo?: InlinePicture & { readonly width: number; readonly height: number }
}

export interface Letter {
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly pictures?: readonly InlinePicture[]
  /** In whose name it is sent. */
  readonly sender?: string
}

interface Written {
  readonly language: string
  readonly subject: string
  readonly parts: readonly LetterPart[]
  readonly look?: LetterLook | undefined
}

const lines = (text: string): string => htmlText(text).replaceAll('\n', '<br>\n')

const plain = (part: LetterPart): string | undefined => {
  if (part === undefined || typeof part === 'string') return part
  return 'link' in part ? `${part.label}\n${part.link}` : quoted(part.words)
}

/** A cell of a table, whose colours and distances every reader of mail shows. */
const buttonOf = (link: string, words: string, { accent, accentText }: LetterLook): string =>
  `<table role="presentation" cellpadding="0" cellspacing="0"><tr><td bgcolor="${accent}" style="background:${accent};border-radius:6px;padding:12px 22px">` +
  `<a href="${link}" style="color:${accentText};font-weight:600;text-decoration:none;display:inline-block">${htmlText(words)}</a></td></tr></table>\n`

/** Quoted as in plain text, so that neither shows what the other does not. */
const marked = (part: LetterPart, look: LetterLook | undefined): string[] => {
  if (part === undefined) return []
  if (typeof part === 'string') return [`<p>${lines(part)}</p>`]
  if ('words' in part) return [`<blockquote>${lines(quoted(part.words).replaceAll(/^> ?/gm, ''))}</blockquote>`]
  const link = htmlText(part.link)
  if (part.button === undefined || !look) return [`<p>${htmlText(part.label)}<br>\n<a href="${link}">${link}</a></p>`]
  const address = `<p style="font-size:13px"><a href="${link}">${link}</a></p>`
  return [`<p>${htmlText(part.label)}</p>\n${buttonOf(link, part.button, look)}${address}`]
}

/** Whose letter it is: the name is beside the logo, for readers that show no pictures. */
const headOf = ({ name, accent, logo }: LetterLook): string => {
  const size = logo && `width="${logo.width}" height="${logo.height}"`
  const picture = logo
    ? `<img src="cid:${logo.cid}" alt="" ${size} style="vertical-align:middle;margin-right:12px">`
    : ''
  return `<p style="border-bottom:3px solid ${accent};padding-bottom:12px;font-size:18px;font-weight:600">${picture}${htmlText(inOneLine(name))}</p>\n`
}

/** One letter as plain text and as HTML that says the same and loads nothing. `language` is a BCP 47 tag. */
export const brandedLetter = ({ language, subject, parts, look }: Written): Letter => {
  const title = inOneLine(subject)
  const head = `<meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>${htmlText(title)}</title>`
  const style = 'max-width:36em;margin:1em auto;padding:0 1em;font:16px/1.5 sans-serif;overflow-wrap:anywhere'
  const body = parts.flatMap((part) => marked(part, look)).join('\n')
  return {
    subject: title,
    text: `${paragraphs(...parts.map(plain))}\n`,
    html: `<!doctype html>\n<html lang="${htmlText(language)}"><head>${head}</head>\n<body style="${style}">\n${look ? headOf(look) : ''}${body}\n</body></html>\n`,
    ...(look && { sender: look.name }),
    ...(look?.logo && { pictures: [look.logo] }),
  }
}

/** A letter of the service's own. */
export const letterOf = (language: string, subject: string, parts: readonly LetterPart[]): Letter =>
  brandedLetter({ language, subject, parts })
