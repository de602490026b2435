import { expect, it } from 'vitest'
import { replaceSections } from './bench-sections.ts'

it('puts what was measured in place of what stood there, and what is new at the end', () => {
  const document = '# Benches\n\nOf a machine.\n\n## One\n\n| a |\n\n## Two\n\n| b |\n'
  expect(replaceSections(document, ['## One\n\n| c |\n', '## Three\n\n| d |\n'])).toBe(
    '# Benches\n\nOf a machine.\n\n## One\n\n| c |\n\n## Two\n\n| b |\n\n## Three\n\n| d |\n',
  )
})
