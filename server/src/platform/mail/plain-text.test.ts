import { describe, expect, it } from 'vitest'
import { orgInMail, personInMail } from './plain-text.ts'

describe('a name in a mail', () => {
  it.each([
    ['Asha Rao', 'Asha Rao'],
    ['  Asha\n\tRao ', 'Asha Rao'],
    ['J.R.R. Tolkien', 'J.R.R. Tolkien'],
    ['Dr. Ana-María St. John', 'Dr. Ana-María St. John'],
    ['visit https://spam.example/x now', 'visit now'],
    ['call asha@spam.example', 'call'],
    ['www.spam', ''],
    ['(www.spam.example)', ''],
    ['spam.example/win', ''],
    ['spam.example', ''],
  ])('of a person: %j is %j', (given, said) => {
    expect(personInMail(given)).toBe(said)
  })

  it.each([
    ['Example & Co', 'Example & Co'],
    ['Example.com', 'Example.com'],
    ['Harbour https://spam.example', 'Harbour'],
    ['spam.example/win', ''],
    ['win@spam.example', ''],
  ])('of an organisation: %j is %j', (given, said) => {
    expect(orgInMail(given)).toBe(said)
  })
})
