import { objectionTo } from '../supply/licence-rules.ts'
import { licenceReader } from '../supply/licences.ts'
import { lockedPackages } from '../supply/locked-packages.ts'
import { shippedParts } from '../supply/notices.ts'
import type { CheckResult } from './tools.ts'

/** Whatever the shipped parts run with, all the way down, is under a licence that was thought about. */
export const licencesAreAllowed = (root: string): CheckResult => {
  const read = licenceReader(root)
  const objections = lockedPackages(root, shippedParts).flatMap((locked) => {
    const licence = read(locked)
    if (licence) return objectionTo(locked, licence.expression) ?? []
    return locked.optional ? [] : `${locked.name} is in the lockfile and not installed: run npm start`
  })
  return {
    name: 'every package that is shipped is under a licence that allows it',
    passed: objections.length === 0,
    output: objections.join('\n'),
  }
}
