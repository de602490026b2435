// What a program sees that settled its memory.
import { readFileSync } from 'node:fs'
import { settleMemory } from '../memory-settings.ts'

settleMemory()
const given = readFileSync('/proc/self/environ', 'utf8').split('\0')
const of = (name: string): string | undefined => given.find((entry) => entry.startsWith(`${name}=`))
console.log(
  JSON.stringify({
    pid: process.pid,
    args: process.argv.slice(2),
    arenas: of('MALLOC_ARENA_MAX') ?? null,
    passedOn: process.env['MALLOC_ARENA_MAX'] ?? null,
  }),
)
