import { describe, expect, it } from 'vitest'
import { assumedOf, diskFinding } from './doctor.disk.model.ts'

const plan = { interviewsADay: 20, minutes: 60, days: 90 }
const disk = { totalBytes: 1e12, plan, size: assumedOf(plan), holdsDatabase: false }

describe('the disk of the doctor', () => {
  it('shows its arithmetic, and is enough where the sum fits', () => {
    const { state, reason } = diskFinding({ ...disk, freeBytes: 500e9 })
    expect(state).toBe('ok')
    expect(reason).toContain('20 interviews a day × 90 days × 240 MB = 432.0 GB of evidence')
    expect(reason).toContain('60 min × 4 MB = 240 MB (assumed')
    expect(reason).toContain('500.0 GB are free: enough')
  })

  it('says after how many days it is full, and how much is missing', () => {
    const { state, reason, todo } = diskFinding({ ...disk, freeBytes: 48e9 })
    expect([state, reason]).toEqual(['mend', expect.stringContaining('full after 10 days')])
    expect(todo).toContain('384.0 GB more')
  })

  it('counts the rows of a year where the database is on the same disk', () => {
    const one = { ...disk, freeBytes: 440e9 }
    expect(diskFinding(one).state).toBe('ok')
    const both = diskFinding({ ...one, holdsDatabase: true })
    expect([both.state, both.reason]).toEqual([
      'mend',
      expect.stringContaining('20 × 365 × 5 MB = 36.5 GB of rows a year'),
    ])
  })

  it('counts on with rows alone once as much evidence is erased as comes', () => {
    const { reason } = diskFinding({ ...disk, freeBytes: 460e9, holdsDatabase: true })
    // 432 GB of evidence, and 28 GB for rows of which each day brings 100 MB.
    expect(reason).toContain('full after 280 days')
  })

  it('without a plan says what is free, and asks for one', () => {
    const none = { ...disk, plan: { ...plan, interviewsADay: undefined } }
    expect(diskFinding({ ...none, freeBytes: 500e9 })).toMatchObject({
      state: 'ok',
      reason: expect.stringContaining('--interviews-a-day'),
    })
    expect(diskFinding({ ...none, freeBytes: 50e9 }).state).toBe('mend')
  })
})
