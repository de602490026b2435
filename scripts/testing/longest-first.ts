import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The files that take a minute or two each, by the end of their path. A name too few or too many costs time alone. */
const longest = [
  'agent/test/end-to-end/kill.test.ts',
  'server/test/flows/delivery-proof.test.ts',
  'agent/test/application/join-to-done.test.ts',
  'server/test/flows/release-admin.test.ts',
  'server/test/invariants/malformed.test.ts',
]

const place = ({ moduleId }: TestSpecification): number => {
  const found = longest.findIndex((file) => moduleId.endsWith(file))
  return found === -1 ? longest.length : found
}

/** Runs the longest files first: one that began last would keep one core busy while the other has nothing to do. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.toSorted((a, b) => place(a) - place(b))
  }
}
