import type { Page } from 'playwright-core'

/**
 * What is another each time that pictures are taken, and what stands for it: ids, codes, hours, days, sizes and counts of
 * seconds. In this order; each as wide as what it stands for, or nearly.
 */
export const fixedTexts: readonly (readonly [pattern: RegExp, fixed: string])[] = [
  [
    /\b(ses|req|org|mem|acr|inv|own|evd|rmt|rev|usr|key|whk)_[0-9a-hjkmnp-tv-z]{26}\b/g,
    '$1_01k8example0000000000000000',
  ],
  [/\b[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}\b/g, 'K7QF-2M9X'],
  [/\b[0-9A-HJKMNP-TV-Z]{4}( [0-9A-HJKMNP-TV-Z]{4}){3}\b/g, 'K7QF 2M9X B4TR 8W3N'],
  [/\b[A-Z2-7]{32}\b/g, 'K7QF2M5XB4TR6W3NK7QF2M5XB4TR6W3N'],
  [/127\.0\.0\.1:\d+/g, 'service.example'],
  [/\b\d{1,2}:\d{2}(:\d{2})?\b/g, '10:34'],
  [/\b(Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b/g, 'Tuesday'],
  [/\b(Mon|Tue|Wed|Thu|Fri|Sat|Sun)\b/g, 'Tue'],
  [
    /\b\d{1,2} (January|February|March|April|May|June|July|August|September|October|November|December)( \d{4})?\b/g,
    '20 January 2099',
  ],
  [/\b\d{1,2} (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)( \d{4})?\b/g, '20 Jan 2099'],
  [/(सोम|मंगल|बुध|गुरु|शुक्र|शनि|रवि)वार/g, 'मंगलवार'],
  [/\d{1,2} (जनवरी|फ़रवरी|मार्च|अप्रैल|मई|जून|जुलाई|अगस्त|सितंबर|अक्टूबर|नवंबर|दिसंबर)( \d{4})?/g, '20 जनवरी 2099'],
  [/\b\d{4}-\d{2}-\d{2}\b/g, '2099-01-20'],
  [/\b\d[\d.,]* (bytes|kB|MB|GB)\b/g, '1.2 MB'],
  [/\b\d+ s ago\b/g, '2 s ago'],
  [/\b\d+ ms\b/g, '12 ms'],
]

const rules = JSON.stringify(fixedTexts.map(([{ source }, fixed]) => [source, fixed]))

const fix = `(() => {
  const rules = ${rules}.map(([source, fixed]) => [new RegExp(source, 'g'), fixed])
  const fixed = (text) => rules.reduce((done, [pattern, other]) => done.replace(pattern, other), text)
  const undo = []
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const before = node.nodeValue
    const after = fixed(before)
    if (after === before) continue
    node.nodeValue = after
    undo.push(() => { if (node.nodeValue === after) node.nodeValue = before })
  }
  for (const field of document.querySelectorAll('input, textarea')) {
    const before = field.value
    const after = fixed(before)
    if (after === before) continue
    field.value = after
    undo.push(() => { if (field.value === after) field.value = before })
  }
  for (const square of document.querySelectorAll('[data-qr], .qr, svg[shape-rendering="crispEdges"]')) {
    const before = square.style.filter
    square.style.filter = 'brightness(0)'
    undo.push(() => { square.style.filter = before })
  }
  window.restoreTexts = () => undo.splice(0).forEach((step) => step())
})()`

/** While a picture is taken, the page says the same as at any other time; afterwards what it said. */
export const withFixedTexts = async <T>(page: Page, work: () => Promise<T>): Promise<T> => {
  await page.evaluate(fix)
  try {
    return await work()
  } finally {
    await page.evaluate('window.restoreTexts?.()')
  }
}
