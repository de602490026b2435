import { isCi } from '../is-ci.ts'
import {
  apiClientAlone,
  capturePageForBrowsers,
  clientPartsAlone,
  companionSessionAlone,
  electronInMain,
  httpInPipeline,
  knexInSchema,
  ownStoresOnly,
  pagesPickEndpoints,
  platformBelowDomains,
  protocolOnZod,
  roomForBrowsers,
  roomSessionAlone,
  roomTakesTypesOnly,
  sharedUiAlone,
} from './boundaries.ts'
import { exportsHaveExamples } from './client-examples.ts'
import { coloursInTokens } from './colours.ts'
import { patternsAreMatched } from './compared-patterns.ts'
import { functionsAreArrows } from './dialect.ts'
import { domainNames } from './domain-names.ts'
import { closedRoles, helperNames } from './file-names.ts'
import { fileSizes, readmeLength } from './file-sizes.ts'
import { agentFloors, deskFloors, folderCircles, roomsApart, serverFloors, sharedUiFloors } from './floors.ts'
import { licencesAreAllowed } from './licences.ts'
import { nobodyIsObservedForHelp } from './observers.ts'
import { oneVersion } from './one-version.ts'
import { packageExportsResolve } from './package-exports.ts'
import { stateIsListed } from './process-state.ts'
import { realTestsAreNamed } from './real-tests.ts'
import { registrySaidOnce } from './registry-copies.ts'
import { servicesTakeCallAndInput } from './service-calls.ts'
import { waitsSayHowLong } from './short-waits.ts'
import { readTree, type SourceFile, type StructureCheck } from './source-tree.ts'
import { classesHaveRules } from './styled-classes.ts'
import { noReExports, oneWriter } from './table-owners.ts'
import { oneLanguageList, textsAlone } from './texts.ts'
import { type CheckResult, formatAndLint, generatedFiles, typeAwareLint, typecheck } from './tools.ts'
import { dependenciesAreUsed } from './unused-dependencies.ts'
import { exportsAreUsed } from './unused-exports.ts'
import { settingsAreRead } from './unused-settings.ts'
import { wingsOneWay } from './wings.ts'
import { fieldsDoNotJudge, nothingPrivate } from './words.ts'

const structureChecks: StructureCheck[] = [
  fileSizes,
  nobodyIsObservedForHelp,
  readmeLength,
  knexInSchema,
  platformBelowDomains,
  ownStoresOnly,
  oneWriter,
  noReExports,
  servicesTakeCallAndInput,
  patternsAreMatched,
  waitsSayHowLong,
  electronInMain,
  httpInPipeline,
  agentFloors,
  serverFloors,
  sharedUiFloors,
  deskFloors,
  roomsApart,
  wingsOneWay,
  ...folderCircles,
  protocolOnZod,
  clientPartsAlone,
  apiClientAlone,
  pagesPickEndpoints,
  companionSessionAlone,
  roomForBrowsers,
  capturePageForBrowsers,
  roomSessionAlone,
  roomTakesTypesOnly,
  sharedUiAlone,
  textsAlone,
  oneLanguageList,
  coloursInTokens,
  classesHaveRules,
  domainNames,
  functionsAreArrows,
  registrySaidOnce,
  packageExportsResolve,
  oneVersion,
  exportsHaveExamples,
  exportsAreUsed,
  settingsAreRead,
  stateIsListed,
  dependenciesAreUsed,
  closedRoles,
  helperNames,
  realTestsAreNamed,
  fieldsDoNotJudge,
  nothingPrivate,
]

/** Runs every check over the tree, telling each result as it comes. Never throws for a finding. */
export const runChecks = async (root: string, tell: (result: CheckResult) => void): Promise<CheckResult[]> => {
  const files = readTree(root)
  const tools = [
    ...[typecheck, formatAndLint, generatedFiles].map((run) => run(root)),
    typeAwareLint(root, files, isCi(process.env)),
  ]
  const structure = structureChecks.map((check) => applied(check, files))
  return Promise.all(
    [...structure, licencesAreAllowed(root), ...tools].map(async (pending) => {
      const result = await pending
      tell(result)
      return result
    }),
  )
}

const applied = (check: StructureCheck, files: readonly SourceFile[]): CheckResult => {
  const findings = check.find(files)
  const output = findings.map(({ path, message }) => `${path}: ${message}`).join('\n')
  return { name: check.name, passed: findings.length === 0, output }
}

/** One result in words: a line, and below it what is wrong. */
export const describeResult = ({ name, passed, output }: CheckResult): string => {
  if (passed) return `✓ ${name}`
  return `✗ ${name}\n${output.trim().replace(/^/gm, '    ')}`
}
