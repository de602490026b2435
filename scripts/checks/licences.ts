import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { objectionTo } from '../supply/licence-rules.ts'
import { licenceReader } from '../supply/licences.ts'
import { lockedPackages } from '../supply/locked-packages.ts'
import { shippedParts } from '../supply/notices.ts'
import type { CheckResult } from './tools.ts'

/** Whatever the shipped parts run with, all the way down, is under a licence that was thought about. */
export const licencesAreAllowed = (root: string): CheckResult => {
  // A tree without a lockfile ships nothing.
  const locked = existsSync(join(root, 'pnpm-lock.yaml')) ? lockedPackages(root, shippedParts) : []
  const read = locked.length > 0 ? licenceReader(root) : () => undefined
  const objections = locked.flatMap((one) => {
    const licence = read(one)
    if (licence) return objectionTo(one, licence.expression) ?? []
    return one.optional ? [] : `${one.name} is in the lockfile and not installed: run npm start`
  })
  return {
    name: 'every package that is shipped is under a licence that allows it',
    passed: objections.length === 0,
    output: objections.join('\n'),
  }
}
