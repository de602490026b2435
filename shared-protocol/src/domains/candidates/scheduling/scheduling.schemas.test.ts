import { describe, expect, it } from 'vitest'
import type * as z from 'zod'
import { emailAddress } from '../../../core/mail-address.ts'
import { oneLine } from '../../../core/primitives.ts'
import { contactBody, contactTopics, declineBody, readinessSteps } from '../invitations/invitations.schemas.ts'
import { invitationCreate } from './scheduling.schemas.ts'

const takes = (schema: z.ZodType, value: unknown) => schema.safeParse(value).success

describe('one line', () => {
  it('reads from one end to the other: it holds nothing that turns its direction', () => {
    for (const text of ['\u202eabc', 'a\u2066b', 'a\u200fb', 'a\u061cb', 'a\u202c'])
      expect(takes(oneLine(20), text), JSON.stringify(text)).toBe(false)
    for (const text of ['\u0639\u0644\u064a', 'שלום', 'a‍b']) expect(takes(oneLine(20), text), text).toBe(true)
  })

  it('breaks no header: it holds no control character, wherever it stands', () => {
    const line = oneLine(20)
    expect(line.parse('  Ada Lovelace ')).toBe('Ada Lovelace')
    expect(takes(line, 'आदा')).toBe(true)
    for (const text of ['', '  ', 'a\nb', 'a\r\nBcc: x', 'a\u0000b', 'a\u0085b', 'x'.repeat(21)])
      expect(takes(line, text), JSON.stringify(text)).toBe(false)
  })
})

describe('an address', () => {
  it('is one that a mail server could take', () => {
    expect(takes(emailAddress, 'a.b+c@d.example')).toBe(true)
    for (const text of ['', 'a', '@b.example', 'a@b', 'a@b.example,c@d.example', `${'x'.repeat(250)}@b.example`])
      expect(takes(emailAddress, text), text).toBe(false)
  })
})

describe('an invitation', () => {
  it('needs an address; a name, a language and words are its own', () => {
    expect(takes(invitationCreate, { email: 'a@b.example' })).toBe(true)
    expect(takes(invitationCreate, { email: 'a@b.example', name: 'Ada', locale: 'hi', message: 'See you\nsoon' })).toBe(
      true,
    )
    expect(takes(invitationCreate, { name: 'Ada' })).toBe(false)
    expect(takes(invitationCreate, { email: 'a@b.example', name: 'Ada\nBcc: x' })).toBe(false)
    expect(takes(invitationCreate, { email: 'a@b.example', message: 'x'.repeat(2001) })).toBe(false)
  })

  it('is walked through in one order, from its opening to the end', () => {
    expect(readinessSteps[0]).toBe('opened')
    expect(readinessSteps.at(-1)).toBe('ended')
    expect(readinessSteps.indexOf('consented')).toBeLessThan(readinessSteps.indexOf('live'))
  })
})

describe('words of whoever was invited', () => {
  it('may say why they decline', () => {
    expect(takes(declineBody, {})).toBe(true)
    expect(takes(declineBody, { reason: 'Another offer.' })).toBe(true)
    expect(takes(declineBody, { reason: ' ' })).toBe(false)
  })

  it('are about something, and are never empty', () => {
    for (const topic of contactTopics) expect(takes(contactBody, { topic, text: 'A question.' })).toBe(true)
    expect(takes(contactBody, { topic: 'question' })).toBe(false)
    expect(takes(contactBody, { topic: 'weather', text: 'Rain.' })).toBe(false)
    expect(takes(contactBody, { topic: 'question', text: 'x'.repeat(5001) })).toBe(false)
  })
})
