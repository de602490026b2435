// Makes the publishable package of the client library in shared-protocol/client/dist, or in the folder that is named.
import { join, resolve } from 'node:path'
import { runProgram } from './run-program.ts'

// In a process of its own: it is built with the TypeScript 5 of its package, whose API the repository's own has not.
const folder = resolve(import.meta.dirname, '../shared-protocol/client')
const out = resolve(process.argv[2] ?? join(folder, 'dist'))
const { code } = await runProgram(process.execPath, [join(folder, 'build/build-package.ts'), out], { output: 'show' })
process.exitCode = code ?? 1
