import { builtPages } from './built-pages.ts'

/** The browser client of an organisation's people: the desk, and the account that they sign in to. */
export const desk = builtPages({
  folder: 'desk',
  pages: ['index', 'account'],
  split: { index: 'desk' },
  inputs: [
    'scripts/clients/desk.ts',
    'shared-protocol/src/domains/interviews/capture-keys/capture-keys.texts.ts',
    'shared-protocol/src/samples',
    'shared-protocol/src/core',
  ],
})
