import type { Letterhead } from './pdf.types.ts'
import { type Doc, decorate, type Element, heightOf, margins, spoken, widthOf, write } from './pdf-text.ts'

const nameStyle = { size: 12, bold: true } as const
const between = 12

/** The logo, which says nothing that the name beside it does not, and a line below both. */
export const placeLetterhead = (doc: Doc, root: Element, { name, accent, logo }: Letterhead): void => {
  const top = doc.y
  const indent = logo ? logo.width + between : 0
  const style = { ...nameStyle, width: widthOf(doc) - indent }
  const height = Math.max(logo?.height ?? 0, heightOf(doc, name, style))
  if (logo)
    decorate(doc, 'Layout', () => {
      const { width, height: own } = logo
      doc.image(Buffer.from(logo.png, 'base64'), margins.left, top + (height - own) / 2, { width, height: own })
    })
  doc.x = margins.left + indent
  doc.y = top + (height - heightOf(doc, name, style)) / 2
  root.add(doc.struct('P', spoken(name), () => write(doc, name, style)))
  const line = top + height + 8
  decorate(doc, 'Layout', () =>
    doc
      .lineWidth(2)
      .moveTo(margins.left, line)
      .lineTo(margins.left + widthOf(doc), line)
      .stroke(accent),
  )
  doc.x = margins.left
  doc.y = line + 16
}
