import { describe, expect, it } from 'vitest'
import { aMailBrand } from '../../organisation/branding/letterhead.test-support.ts'
import { type CandidateFacts, calendarWordsOf, candidateMessageOf } from './candidate.messages.ts'
import { messageKinds } from './invitations.send.service.ts'

const facts: CandidateFacts = {
  message: 'invited',
  environment: 'live',
  locale: 'en',
  brand: aMailBrand(),
  name: 'Asha Rao',
  schedule: { startsAt: '2026-09-05T22:30:00.000Z', durationMinutes: 90, timeZone: 'Asia/Kolkata' },
  url: 'https://interviews.example.org/invitation/#ses_1.ivt_1',
  expiresAt: Date.parse('2026-09-06T22:30:00Z'),
  words: 'See you.',
  takesReplies: true,
  requestsUrl: 'https://interviews.example.org/requests/#ses_1',
}
const textOf = (fields: Partial<CandidateFacts>): string => candidateMessageOf({ ...facts, ...fields }).text

describe('a message to a candidate', () => {
  for (const locale of ['en', 'hi'])
    for (const message of messageKinds)
      it(`of the kind ${message} in ${locale} has everything filled in, says when, and where to ask for data`, () => {
        const { subject, text } = candidateMessageOf({ ...facts, locale, message })
        expect(`${subject}\n${text}`).not.toMatch(/[{}]|undefined|null/)
        expect(subject).toContain('Example')
        expect(subject).not.toContain('Asha')
        expect(text).toContain('04:00')
        expect(text).toContain('Asia/Kolkata')
        expect(text).toContain('22:30 UTC')
        expect(text).toContain('90')
        expect(text).toContain('https://interviews.example.org/requests/#ses_1')
        expect(text).toContain('https://interviews.example.org/invitation/#ses_1.ivt_1')
      })

  it('gives each day in its own zone: an evening in UTC is a morning elsewhere', () => {
    expect(textOf({})).toContain('Sunday, 6 September 2026, 04:00, India Standard Time (Asia/Kolkata)')
    expect(textOf({})).toContain('Saturday, 5 September 2026, 22:30 UTC')
  })

  it('offers an answer by mail only where that reaches somebody', () => {
    expect(textOf({})).toContain('or answer this message')
    expect(textOf({ takesReplies: false })).not.toContain('answer this message')
  })

  it('without a name, a time or words of the inviter speaks of none', () => {
    const text = textOf({ name: null, schedule: null, words: null })
    expect(text).toMatch(/^Hello,\n/)
    expect(text).toContain('There is no time yet.')
    expect(text).not.toContain('own words')
  })

  it('says that earlier links have ended where there were some', () => {
    expect(textOf({ message: 'invited' })).not.toContain('earlier messages')
    for (const message of ['again', 'set', 'moved', 'cancelled'] as const)
      expect(textOf({ message })).toContain('Links in earlier messages no longer work.')
  })

  it('that tells of a cancelled appointment asks for nothing and repeats no words of the inviter', () => {
    const text = textOf({ message: 'cancelled', url: undefined })
    expect(text).toContain('You need not do anything.')
    expect(text).toContain('The link in our earlier message still opens your page')
    expect(text).not.toMatch(/See you|ivt_/)
  })

  it('of the sandbox says so in its subject', () => {
    expect(candidateMessageOf({ ...facts, environment: 'sandbox' }).subject).toMatch(/^\[Sandbox\] /)
  })
})

describe('the words of a calendar', () => {
  it('name the organisation in one line and hold the link', () => {
    for (const locale of ['en', 'hi']) {
      const url = facts.url ?? ''
      const words = calendarWordsOf(locale, { orgName: 'Exam\r\nple', schedule: facts.schedule, url })
      expect(words.summary).toContain('Exam ple')
      expect(words.description).toContain(url)
      expect(words.description).not.toMatch(/[{}]/)
    }
  })
})
