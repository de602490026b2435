import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { consentTexts, observerNames } from '@integrity/protocol'
import { describe, expect, it } from 'vitest'
import { createObservers } from '../../machine/observers/create-observers.ts'
import { fakeShell } from '../../machine/observers/test-support/fake-shell.ts'
import { programCatalogue } from './catalogue.ts'
import { deviceList } from './device-catalogue.ts'
import { observerPages } from './observer-pages.ts'
import { findWay, observerEntry } from './observer-table.ts'
import { ordinaryMachines } from './ordinary-machines.data.ts'
import { setUpObservers } from './ordinary-machines.ts'

const platforms = ['linux', 'darwin', 'win32'] as const

describe('the table of observers', () => {
  it.each(platforms)(
    'says of each observer on %s how and how often it looks, with and without the shell',
    (platform) => {
      for (const shell of [undefined, fakeShell()]) {
        const observers = createObservers({ platform, shell, env: {} })
        expect(observers.map(({ name }) => name)).toEqual(observerNames)
        for (const { name, method, intervalMs } of observers) {
          const way = findWay(observerNames.find((one) => one === name)!, platform, shell !== undefined)
          expect({ name, method, intervalMs }).toEqual(
            'why' in way
              ? { name, method: 'none', intervalMs: 0 }
              : { name, method: way.method, intervalMs: way.intervalMs },
          )
        }
      }
    },
  )

  it('is complete: every way says what it costs and what it cannot see', () => {
    for (const name of observerNames) {
      const { reads, shell, linux, darwin, win32, harmless, measured } = observerEntry(name)
      expect(harmless.length, name).toBeGreaterThanOrEqual(2)
      for (const sentence of [...harmless, measured]) expect(sentence).toMatch(/^[A-Z].*\.$/)
      const texts = [reads, ...[shell, linux, darwin, win32].flatMap((way) => (way ? Object.values(way) : []))]
      for (const text of texts.filter((one) => typeof one === 'string')) expect(text.length).toBeGreaterThan(5)
    }
  })
})

describe('how an observer was measured', () => {
  it.each(observerNames)('names tests of %s that there are', (name) => {
    const folders = [import.meta.dirname, join(import.meta.dirname, '../../machine/observers')]
    const { measured } = observerEntry(name)
    const named = [...measured.matchAll(/[\w.-]+\.test\.ts/g)].map(([file]) => file)
    for (const file of named)
      expect(
        folders.some((folder) => existsSync(join(folder, file))),
        file,
      ).toBe(true)
    if (named.length === 0) expect(measured).toMatch(/^Not measured/)
  })
})

describe('the published pages', () => {
  const pages = observerPages()

  it('show every observer, program and device', () => {
    for (const name of observerNames) {
      expect(pages['observers.md']).toContain(`## \`${name}\`\n`)
      const { harmless, measured } = observerEntry(name)
      for (const sentence of [...harmless, measured]) expect(pages['observers.md']).toContain(sentence)
    }
    for (const { program, processes } of programCatalogue) {
      expect(pages['programs.md']).toContain(`| ${program} | ${processes.map((one) => `\`${one}\``).join(', ')} |`)
    }
    for (const { device } of deviceList) expect(pages['programs.md']).toContain(`| ${device} |`)
    expect(Object.values(pages).join('')).not.toMatch(/undefined|\[object/)
  })

  it('show each ordinary machine with what every observer of its set-up says', () => {
    const lines = pages['ordinary-machines.md']!.split('\n')
    for (const { name, says } of ordinaryMachines) {
      const cells = lines
        .find((line) => line.startsWith(`| ${name} |`))!
        .slice(2, -2)
        .split(' | ')
      expect(cells.length, name).toBe(1 + setUpObservers.length)
      const told = setUpObservers.map((observer) => (says[observer] ?? []).length > 0)
      expect(cells.slice(1).map((cell) => cell !== 'nothing' && cell !== 'off, as agreed')).toEqual(told)
    }
    expect(lines.find((line) => line.startsWith('| A recorder of the screen |'))).toContain(
      '| OBS records the microphone ("Built-in Audio Analog Stereo"); OBS records what is played ("Monitor of Built-in Speakers") | OBS Studio runs |',
    )
  })

  /** What is never observed: as the page, and as the consent says it in English and in Hindi. */
  const never = [
    ['where a person looks', 'where you look', 'आप कहाँ देखते हैं'],
    ['faces', 'your face', 'आपका चेहरा'],
    ['feelings', 'feelings', 'भावनाएँ'],
    ['tone of a voice', 'tone of voice', 'आवाज़ का लहजा'],
    ['rhythm of typing', 'rhythm of typing', 'टाइप करने की लय'],
    ['the room', 'your room', 'आपका कमरा'],
    ['help a person to read, hear', 'helps you to read, hear', 'पढ़ने, सुनने या लिखने में मदद करने वाला'],
  ] as const

  it('say what is never observed, all of which the consent says too, in both languages', () => {
    const rows = pages['never-observed.md']!.split('\n').filter((line) => /^\| (?!what|---)/.test(line))
    expect(rows).toHaveLength(never.length)
    for (const [index, [page, en, hi]] of never.entries()) {
      expect(rows[index]).toContain(page)
      for (const name of ['signalsNever', 'signalsWithTitles'] as const) {
        expect(consentTexts.en[name]).toContain(en)
        expect(consentTexts.hi[name]).toContain(hi)
      }
    }
  })

  it('judge nobody', () => {
    for (const text of Object.values(pages))
      expect(text).not.toMatch(/suspicio|cheat|fraud|\bflag|\bfake\b|verdict|\bscore/i)
  })
})
