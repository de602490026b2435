import { arrowFunctions } from '../fix/arrow-functions.ts'
import { isCode, type StructureCheck } from './source-tree.ts'

const exempt = /(?:^|\/)(?:generated|vectors|migrations)\//

export const functionsAreArrows: StructureCheck = {
  name: 'a function is an arrow function wherever it can be one (npm run fix)',
  find: (files) =>
    files
      .filter(({ path }) => isCode(path) && !exempt.test(path))
      .filter(({ path, text }) => arrowFunctions(path, text) !== text)
      .map(({ path }) => ({ path, message: 'declares a function that can be an arrow function' })),
}
