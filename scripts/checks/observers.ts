import type { StructureCheck } from './source-tree.ts'

/** Programs and things that help a person to read, hear or write. */
const helping =
  /\b(?:orca|nvda|jaws|jfw|narrator|voice ?over|talkback|magnif(?:y|ier)|screen[ _-]?readers?|braille|brltty|live[ _-]?captions?|dictation|dragon|hearing aids?|assistive)\b/i

/** What observers say of themselves, what they are compared with, and what they may send. */
const dataOfObservers =
  /^(?:agent\/src\/core\/observers\/(?:observer-table[\w.-]*\.data|catalogue|device-catalogue)\.ts|shared-protocol\/src\/domains\/interviews\/integrity-events\/integrity-events\.observations\.ts)$/

/** Whether the file is one of those: a test holds that these are where they are looked for. */
export const isDataOfObservers = (path: string): boolean => dataOfObservers.test(path)

export const nobodyIsObservedForHelp: StructureCheck = {
  name: 'no observer names what helps a person to read, hear or write',
  find: (files) =>
    files
      .filter(({ path }) => isDataOfObservers(path))
      .flatMap(({ path, text }) =>
        text.split('\n').flatMap((line, index) => {
          const found = helping.exec(line)?.[0]
          return found === undefined ? [] : [{ path: `${path}:${index + 1}`, message: `names ${found}` }]
        }),
      ),
}
