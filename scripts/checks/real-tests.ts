import { programsFor } from '../test-run/needed-programs.ts'
import type { StructureCheck } from './source-tree.ts'

/** Displays, sound and film: what a test waits for, and what starves beside others. */
const real = new Set<string>([
  'Xvfb',
  'pulseaudio',
  'chromium',
  'chromium-headless-shell',
  'ffmpeg',
  'sox',
  'pocketsphinx_continuous',
])

/** The stream of a test goes by its name (docs/decisions/0070-streams-of-tests.md). */
export const realTestsAreNamed: StructureCheck = {
  name: "the agent's tests that drive real displays and sound are called *.real.test.ts, and no others",
  find: (files) => {
    const texts = new Map(files.map(({ path, text }) => [path, text]))
    const tree = { paths: [...texts.keys()], read: (path: string) => texts.get(path) ?? '' }
    return tree.paths
      .filter((path) => /^agent\/.*\.test\.ts$/.test(path) && !path.startsWith('agent/test/renderer/'))
      .flatMap((path) => {
        const drives = programsFor([path], '/', tree).filter((program) => real.has(program))
        const named = path.endsWith('.real.test.ts')
        if (named === drives.length > 0) return []
        const message = named
          ? 'drives none of them: drop .real'
          : `drives ${drives.join(', ')}: call it *.real.test.ts`
        return [{ path, message }]
      })
  },
}
