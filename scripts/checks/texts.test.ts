import { describe, expect, it } from 'vitest'
import type { StructureCheck } from './source-tree.ts'
import { oneLanguageList, textsAlone } from './texts.ts'

const pathsFound = (check: StructureCheck, files: Record<string, string>) =>
  check.find(Object.entries(files).map(([path, text]) => ({ path, text }))).map(({ path }) => path)

describe('the texts', () => {
  it('have one list of languages: another place that names one beside English is found', () => {
    expect(
      pathsFound(oneLanguageList, {
        'server/src/a.ts': "export const spoken = ['en', 'hi']\n",
        'room-web/src/b.ts': 'export const texts = { en, hi: translated }\n',
        'companion/src/c.tsx': "const isHindi = code === 'hi'\n",
        'companion/src/d.test.ts': "choose('hi')\n",
        'shared-protocol/src/texts/areas/e.ts': "import { texts as hi } from '../hi/e.ts'\n",
        'agent/src/f.ts': "pick(languages, ['en'])\n",
      }),
    ).toEqual(['server/src/a.ts', 'room-web/src/b.ts', 'companion/src/c.tsx'])
  })

  it('load nothing but texts, so that a page loads its words alone', () => {
    expect(
      pathsFound(textsAlone, {
        'shared-protocol/src/texts/en/a.ts':
          "import { laneNames } from '../../domains/interviews/lanes/lanes.registry.ts'\n",
        'shared-protocol/src/texts/en/b.ts':
          "import type { LaneName } from '../../domains/interviews/lanes/lanes.registry.ts'\n",
        'shared-protocol/src/texts/areas/c.ts': "import { texts as en } from '../en/c.ts'\n",
        'shared-protocol/src/texts/d.ts': "import * as z from 'zod'\n",
      }),
    ).toEqual(['shared-protocol/src/texts/en/a.ts', 'shared-protocol/src/texts/d.ts'])
  })
})
