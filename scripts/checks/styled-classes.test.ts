import { expect, it } from 'vitest'
import { classesHaveRules } from './styled-classes.ts'

const page = (style: string) =>
  `<link rel="stylesheet" href="/src/${style}" /><script type="module" src="/src/main.tsx"></script>`

const tree = (styles: Readonly<Record<string, string>>) => ({
  'desk/index.html': page('desk.css'),
  'desk/src/main.tsx': "import { Later } from './later.tsx'\nconst a = () => import('./room.tsx')",
  'desk/src/later.tsx': '<p className="plain" />',
  'desk/src/room.tsx': "import { Fold } from '@integrity/shared-ui/web/fold'",
  'desk/src/elsewhere.tsx': '<p className="of-no-page" />',
  'shared-ui/src/web/fold.tsx': "<b className={open === 'yes' ? 'fold unfolded' : undefined} />",
  ...styles,
})

const found = (styles: Readonly<Record<string, string>>) =>
  classesHaveRules
    .find(Object.entries(tree(styles)).map(([path, text]) => ({ path, text })))
    .map(({ message }) => /class (\S+),/.exec(message)?.[1])

it('a class of a component is looked for in the stylesheet of each page that has it', () => {
  const fold = { 'shared-ui/src/web/fold.css': '.fold:hover, b.unfolded { color: inherit; }' }
  expect(found({ ...fold, 'desk/src/desk.css': '.plain { margin: 0; }' })).toEqual(['fold', 'unfolded'])
  const imports = '@import "@integrity/shared-ui/web/fold.css";\n@import "./plain.css";\n'
  expect(found({ ...fold, 'desk/src/desk.css': imports })).toEqual(['plain'])
  expect(found({ ...fold, 'desk/src/desk.css': imports, 'desk/src/plain.css': '.plain { margin: 0; }' })).toEqual([])
})
