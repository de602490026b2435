import { expect, it } from 'vitest'
import { appointmentLine, inviterLine } from './inviter.ts'

it('says whom to ask by name and address, or by the address alone', () => {
  expect(inviterLine({ name: 'Meera Nair', replyTo: 'meera@harbour.example' })).toBe(
    'Meera Nair (meera@harbour.example)',
  )
  expect(inviterLine({ name: null, replyTo: 'meera@harbour.example' })).toBe('meera@harbour.example')
})

it('says when an appointment is with the zone of the clock that it names', () => {
  const line = appointmentLine({ startsAt: '2026-11-26T09:00:00.000Z' }, 'en-GB', 'Asia/Kolkata')
  expect(line).toMatch(/^Thursday,? 26 November at 14:30 (GMT\+5:30|IST)$/)
})
