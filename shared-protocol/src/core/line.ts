/** How one line of text is cut. Only where there is `Intl.Segmenter`: in the service and in browsers. */
const kept = (text: string, most: number): string => {
  if (text.length <= most) return text
  let end = 0
  // Two units more show whether the last letter of it goes on.
  for (const { index, segment } of new Intl.Segmenter('en').segment(text.slice(0, most + 2))) {
    if (index + segment.length > most) break
    end = index + segment.length
  }
  // One letter with more marks than fit.
  return end > 0 ? text.slice(0, end) : text.slice(0, most).replace(/[\ud800-\udbff]$/, '')
}

/** Cut to so many UTF-16 units at most, never within what people read as one letter. */
export const cutText = (text: string, most: number): string => kept(text.toWellFormed(), most)

/**
 * Another system's words as one line that `oneLine` takes, cut to so many UTF-16 units. Joiners stay: Sinhala, Persian and emoji
 * are written with them. Empty where nothing is left.
 */
export const lineOf = (text: string, most: number): string =>
  cutText(text.replaceAll(/[\p{Cc}\p{Bidi_C}]+/gu, ' ').trim(), most).trim()
