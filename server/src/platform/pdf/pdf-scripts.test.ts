import { describe, expect, it } from 'vitest'
import { aDocument, canReadPdf, pdfOf, readPdf } from './pdf.test-support.ts'
import { scriptsOf } from './pdf-scripts.ts'

const elsewhere = 'The JSON has them.'
const read = async (text: string) => readPdf(await pdfOf(aDocument([{ kind: 'paragraph', text }], { elsewhere })))
const notSet = /Characters that no font of this document has \(([^)]*)\)/

describe('the scripts of characters', () => {
  it('are named once, joiners and marks left out', () => {
    expect(scriptsOf('中文ひ👩‍💻𝐇')).toEqual(['Han', 'Hiragana', 'emoji', 'other letters'])
    expect(scriptsOf(' \u200d')).toEqual([])
  })
})

describe.skipIf(!canReadPdf)('texts in twenty scripts on paper', () => {
  it.each([
    ['Latin', 'Façade coöperate straße', null],
    ['Vietnamese', 'Phỏng vấn trực tuyến', null],
    ['Greek', 'Συνέντευξη', null],
    ['Cyrillic', 'Собеседование', null],
    ['Armenian', 'Հարցազրույց', null],
    ['Georgian', 'გასაუბრება', null],
    ['Devanagari', 'मैंने सब कुछ देखा कि', null],
    ['Bengali', 'সাক্ষাৎকার ভালো', null],
    ['Tamil', 'நேர்காணல் நன்று', null],
    ['Telugu', 'ఇంటర్వ్యూ బాగుంది', null],
    ['Arabic', 'مقابلة', null],
    ['Urdu', 'گفتگو ہے', null],
    ['Hebrew', 'ריאיון', null],
    ['Chinese', '面试 123', 'Han'],
    ['Japanese', '面接ですカ', 'Han, Hiragana, Katakana'],
    ['Korean', '면접', 'Hangul'],
    ['Thai', 'สัมภาษณ์', 'Thai'],
    ['Gujarati', 'મુલાકાત', 'Gujarati'],
    ['mathematical letters', '𝐇𝐞𝐥𝐥𝐨', 'other letters'],
    ['emoji', '🎉👩‍💻', 'emoji'],
  ])('%s: every letter can be read in the file, and what is not set is named', async (_script, text, unset) => {
    const { text: found, checked } = await read(text)
    expect(checked).toContain('No syntax or stream encoding errors found')
    expect(found.replace(/[\u202a-\u202e]/g, '')).toContain(text)
    expect(notSet.exec(found.replaceAll('\n', ' '))?.[1] ?? null).toBe(unset)
    expect(found.includes(elsewhere)).toBe(unset !== null)
  })

  it('are drawn as boxes, never as glyphs that stand for nothing', async () => {
    const { objects } = await read('a 面试 b')
    expect(objects).not.toMatch(/<(?:[\da-f]{4})*0000(?:[\da-f]{4})*>[^\n]*T[jJ]/)
    expect(objects).toContain(`/ActualText <feff${Buffer.from('面试', 'utf16le').swap16().toString('hex')}>`)
  })

  it('are named once below a table', async () => {
    const rows = [
      ['面', 'ok'],
      ['ok', '試'],
    ]
    const pdf = await pdfOf(aDocument([{ kind: 'table', head: ['A', 'B'], shares: [1, 1], rows }], { elsewhere }))
    expect(readPdf(pdf).text.match(/The JSON has them/g)).toHaveLength(1)
  })
})
