import { credentialKinds, scopes } from '../../shared-protocol/src/core/auth.ts'
import { errorCodes } from '../../shared-protocol/src/core/errors.ts'
import { builtInRoles, permissions } from '../../shared-protocol/src/core/permissions.ts'
import { eventTypes } from '../../shared-protocol/src/domains/integrations/events/events.catalog.ts'
import { scenarioNames } from '../../shared-protocol/src/domains/integrations/sandbox/sandbox.scenarios.ts'
import { integrityEventKinds } from '../../shared-protocol/src/domains/interviews/integrity-events/integrity-events.kinds.ts'
import {
  listedDeviceKinds,
  mediaDeviceKinds,
  observerNames,
  programKinds,
} from '../../shared-protocol/src/domains/interviews/integrity-events/integrity-events.observations.ts'
import { evidenceTypeNames } from '../../shared-protocol/src/domains/interviews/lanes/lanes.evidence.ts'
import {
  gapReasons,
  laneHealthStates,
  laneNames,
} from '../../shared-protocol/src/domains/interviews/lanes/lanes.registry.ts'
import { sessionPhaseNames } from '../../shared-protocol/src/domains/interviews/sessions/sessions.phases.ts'
import {
  permissionStates,
  sessionStates,
} from '../../shared-protocol/src/domains/interviews/sessions/sessions.schemas.ts'
import { auditActions } from '../../shared-protocol/src/domains/recording/audit/audit.actions.ts'
import { type LiteralList, literalListsOf } from './literal-lists.ts'
import { isCode, isTest, type SourceFile, type StructureCheck } from './source-tree.ts'

const kinds = Object.keys(integrityEventKinds)

/** What the contract says once, by the name that an exemption uses. */
const registries = {
  'lane names': laneNames,
  'lane health': laneHealthStates,
  'evidence types': evidenceTypeNames,
  'gap reasons': Object.keys(gapReasons),
  'integrity event kinds': kinds,
  'observer names': observerNames,
  'program kinds': programKinds,
  'device kinds': [...mediaDeviceKinds, ...listedDeviceKinds],
  'session states': sessionStates,
  'session phases': sessionPhaseNames,
  'permission states': permissionStates,
  'api scopes': scopes,
  permissions: Object.keys(permissions),
  'built-in roles': builtInRoles,
  'credential kinds': credentialKinds,
  'error codes': Object.keys(errorCodes),
  'event types': eventTypes,
  'audit actions': Object.keys(auditActions),
  scenarios: scenarioNames,
} as const satisfies Record<string, readonly string[]>
type Registry = keyof typeof registries

/** The first words of kinds, which a pattern may list: `/^(lane|agent|spool)\\./`. */
const families = [...new Set(kinds.map((kind) => kind.slice(0, kind.indexOf('.'))))]

interface Exemption {
  readonly path: string
  readonly registry: Registry
  readonly why: string
}

/** Lists that only share their words with a registry, or that say what their own program does with some members. */
export const exemptions: readonly Exemption[] = [
  {
    path: 'agent/src/core/capture/types.ts',
    registry: 'lane names',
    why: 'sections of the capture config; the sound of the computer is `systemAudio` there',
  },
  { path: 'agent/src/machine/adapters/capture-config.ts', registry: 'lane names', why: 'the same sections, filled' },
  {
    path: 'agent/src/machine/page/messages.ts',
    registry: 'permission states',
    why: "the browser's own answers, among them `prompt`; the capture page may not load the contract",
  },
  {
    path: 'agent/src/desktop/device-check.ts',
    registry: 'gap reasons',
    why: 'reasons that the check of the devices has an advice for; every other one is a failed driver',
  },
  {
    path: 'agent/src/shared/ipc/window-state.ts',
    registry: 'gap reasons',
    why: 'states of a lane as the window draws them, some of which are also reasons of a gap',
  },
  {
    path: 'server/src/domains/review/reports/account.told.model.ts',
    registry: 'gap reasons',
    why: 'which of two reasons of one time is said; the compiler holds that all are there',
  },
  {
    path: 'server/src/domains/review/compositions/plan.account.model.ts',
    registry: 'gap reasons',
    why: 'reasons that nobody told: the service has inferred them',
  },
  {
    path: 'scripts/demo/film.ts',
    registry: 'lane names',
    why: 'the small places of a film, in the order in which they lie',
  },
  {
    path: 'agent/src/machine/desktop-helper/helper-lines.ts',
    registry: 'observer names',
    why: 'topics of the desktop helpers, a protocol of their own: one feeds `sleep` and is called `asleep`',
  },
  {
    path: 'agent/src/core/upload/item-upload.ts',
    registry: 'evidence types',
    why: 'types that have an endpoint of their own for small items; every other one goes up in parts',
  },
  {
    path: 'server/src/domains/integrations/sandbox/sandbox.captures.service.ts',
    registry: 'evidence types',
    why: 'types that the simulated agent knows how to draw',
  },
  {
    path: 'server/src/domains/review/bundles/bundles.policy.ts',
    registry: 'audit actions',
    why: 'which rows of the trail a candidate is not shown: those of who decided in the organisation',
  },
  {
    path: 'server/src/kernel/audit/audit.commitments.ts',
    registry: 'audit actions',
    why: 'acts that change what people read of a session, and which of its records each of them touches',
  },
  {
    path: 'agent/src/core/observers/observer-table.newer.data.ts',
    registry: 'observer names',
    why: 'rows of the table of observers, which the compiler holds to have all',
  },
  {
    path: 'agent/src/core/observers/ordinary-machines.ts',
    registry: 'observer names',
    why: 'those that tell of a set-up, which is a choice; the compiler holds them to be observers',
  },
  {
    path: 'agent/src/core/observers/ordinary-machines.parts.ts',
    registry: 'observer names',
    why: 'what observers say of a laptop; the compiler holds them to be observers',
  },
  {
    path: 'agent/src/core/observers/ordinary-machines.parts.ts',
    registry: 'device kinds',
    why: 'the devices of a laptop, by the words of the listeners too',
  },
  {
    path: 'agent/src/core/observers/ordinary-machines.desks.data.ts',
    registry: 'observer names',
    why: 'what observers say of a set-up; the compiler holds them to be observers',
  },
  {
    path: 'agent/src/core/observers/ordinary-machines-page.ts',
    registry: 'device kinds',
    why: 'words for each, which the compiler holds to have all',
  },
  {
    path: 'server/src/domains/administration/compliance/statement.sentences.model.ts',
    registry: 'permissions',
    why: 'those that show something of candidates, which a statement names in a sentence each',
  },
  {
    path: 'server/src/pipeline/trace-request.ts',
    registry: 'credential kinds',
    why: 'whose word on what is recorded of a trace counts',
  },
  {
    path: 'desk/src/rooms/review/reel-ports.ts',
    registry: 'error codes',
    why: 'refusals after which a player shows nothing more of an interview',
  },
]

const fewestMembers = 3
/** This file: it names the registries, and its exemptions are those of the tree that it stands in. */
const here = 'scripts/checks/registry-copies.ts'

/** Tests say again what they expect, and so may what only tests use. */
const isForTests = (path: string) => isTest(path) || /test-support/.test(path)
const isLookedAt = ({ path }: SourceFile) =>
  isCode(path) && !path.startsWith('shared-protocol/') && path !== here && !isForTests(path)

const membersIn = ({ form, names }: LiteralList, registry: Registry): string[] => {
  const members: readonly string[] =
    form === 'pattern' && registry === 'integrity event kinds' ? [...kinds, ...families] : registries[registry]
  return [...new Set(names)].filter((name) => members.includes(name))
}

interface Copy {
  readonly path: string
  readonly line: number
  readonly registry: Registry
  readonly members: readonly string[]
}

const copiesIn = (file: SourceFile): Copy[] =>
  literalListsOf(file.text).flatMap((list) =>
    (Object.keys(registries) as Registry[]).flatMap((registry) => {
      const members = membersIn(list, registry)
      return members.length < fewestMembers ? [] : [{ path: file.path, line: list.line, registry, members }]
    }),
  )

const covers = (exemption: Exemption, { path, registry }: Copy) =>
  exemption.path === path && exemption.registry === registry

export const registryCopies = (exempt: readonly Exemption[]): StructureCheck => ({
  name: "no file outside the contract lists a registry's members",
  find(files) {
    const copies = files.filter(isLookedAt).flatMap(copiesIn)
    const stale = exempt.filter((exemption) => !copies.some((copy) => covers(exemption, copy)))
    return [
      ...copies
        .filter((copy) => !exempt.some((exemption) => covers(exemption, copy)))
        .map(({ path, line, registry, members }) => ({
          path: `${path}:${line}`,
          message: `lists ${registry} (${members.join(', ')}): take them from @integrity/protocol`,
        })),
      ...stale.map(({ path, registry }) => ({ path, message: `no longer lists ${registry}: the exemption is stale` })),
    ]
  },
})

export const registrySaidOnce: StructureCheck = {
  name: registryCopies([]).name,
  find: (files) => registryCopies(files.some(({ path }) => path === here) ? exemptions : []).find(files),
}
