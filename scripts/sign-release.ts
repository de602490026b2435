// Signs what a release consists of: `npm run sign -- FOLDER --key FILE`, the password of the key in MINISIGN_PASSWORD.
import { parseArgs } from 'node:util'
import { signFolder } from './supply/sign-folder.ts'

const usage = 'Usage: npm run sign -- FOLDER --key FILE, with the password of the key in MINISIGN_PASSWORD'

const password = (): Promise<string> => {
  const given = process.env['MINISIGN_PASSWORD']
  return given === undefined
    ? Promise.reject(new Error('The key has a password: set MINISIGN_PASSWORD.'))
    : Promise.resolve(given)
}

try {
  const { values, positionals } = parseArgs({ options: { key: { type: 'string' } }, allowPositionals: true })
  const [folder, ...more] = positionals
  if (folder === undefined || more.length > 0 || values.key === undefined) throw new Error(usage)
  for (const file of await signFolder({ folder, keyFile: values.key, password, now: new Date() })) console.log(file)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
