// Writes everything that is derived from something else. With --check it writes nothing and fails when a committed file differs.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { domainLists } from './generate/domain-lists.ts'

const root = join(import.meta.dirname, '..')
const isCheck = process.argv.includes('--check')

const write = (files: Readonly<Record<string, string>>): void => {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), text)
  }
}

const drifted = (files: Readonly<Record<string, string>>): string[] =>
  Object.entries(files)
    .filter(([file, text]) => !existsSync(join(root, file)) || readFileSync(join(root, file), 'utf8') !== text)
    .map(([file]) => file)

const refuse = (files: readonly string[]): void => {
  for (const file of files) console.error(`${file} is not what it is made of says: run npm run generate`)
  if (files.length > 0) process.exit(1)
}

const lists = domainLists(root)
if (isCheck) refuse(drifted(lists))
else write(lists)
// Only now: what is derived from the registry imports these lists.
const { derivedFiles } = await import('./generate/derived-files.ts')
if (isCheck) refuse(drifted(derivedFiles()))
else write(derivedFiles())
