import { expect, it } from 'vitest'
import { coloursInTokens } from './colours.ts'

it('a colour that is spelled beside the tokens is found', () => {
  const files = {
    'room-web/src/a.css': 'a { color: #1d4f91; }',
    'companion/src/b.tsx': "const ground = '#fff'",
    'agent/src/shell/renderer/c.tsx': '<path fill="#000000" />',
    'shared-ui/src/web/tokens.css': ':root { --accent: #1d4f91; }',
    'companion/src/d.ts': 'this.#add(item)',
    'room-web/src/e.css': 'a { color: var(--accent); }',
  }
  const found = coloursInTokens.find(Object.entries(files).map(([path, text]) => ({ path, text })))
  expect(found.map(({ path }) => path)).toEqual([
    'room-web/src/a.css',
    'companion/src/b.tsx',
    'agent/src/shell/renderer/c.tsx',
  ])
})
