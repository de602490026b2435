import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { longFiles, slowFiles } from './slow-files.ts'

const longest = [...longFiles, ...Object.values(slowFiles).flat()]

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
