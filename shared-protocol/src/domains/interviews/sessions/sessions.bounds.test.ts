import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { sessionBounds } from './sessions.bounds.ts'

it('the guide says how much one session holds', () => {
  const guide = readFileSync(new URL('../../../../guide/06-limits.md', import.meta.url), 'utf8')
  const line = guide.split('\n').find((text) => text.startsWith('| one session |'))
  for (const [what, bound] of Object.entries(sessionBounds)) expect(line, what).toContain(bound.toLocaleString('en-US'))
})
