import { existsSync } from 'node:fs'

/** How the operator's program is called here: by npm in the source tree, by its own name where the package was installed. */
export const adminName = existsSync(new URL('../../../scripts/run.mjs', import.meta.url))
  ? 'npm run --silent admin --'
  : 'interview-integrity-admin'
