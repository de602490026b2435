import { existsSync } from 'node:fs'

/** Whether this runs from the source tree, and not from a package. */
export const isSourceTree = existsSync(new URL('../../../scripts/run.mjs', import.meta.url))

/** How the operator's program is called here: by npm in the source tree, by its own name where the package was installed. */
export const adminName = isSourceTree ? 'npm run --silent admin --' : 'interview-integrity-admin'
