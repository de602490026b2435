import { nearestName } from '../platform/nearest-name.ts'
import { settingNames } from './config.ts'

/** A name that is no setting and looks like one. */
export interface Misspelt {
  readonly name: string
  readonly meant: string
}

/** What the environment has for other programs and only looks alike. */
const ofOthers: ReadonlySet<string> = new Set(['HOSTNAME', 'NODE_PATH', 'HOSTTYPE'])
/** Three letters away from a short word is another word. */
const shortest = 6

/** Of OpenTelemetry's names we read a few, and its library some more: the others look alike and are right. */
const isOfStandard = (name: string): boolean => /^OTEL_(?:BSP|EXPORTER|METRIC|LOG|RESOURCE|PROPAGATORS)/.test(name)

const isNear = (name: string): string | undefined => {
  if (settingNames.includes(name) || isOfStandard(name) || ofOthers.has(name) || name.length < shortest)
    return undefined
  return nearestName(
    name,
    settingNames.filter((known) => Math.abs(known.length - name.length) <= 2 && known[0] === name[0]),
  )
}

/** Names in an environment that were likely meant to be settings of the service, which passes them over. */
export const misspeltSettings = (env: Readonly<Record<string, string | undefined>>): readonly Misspelt[] =>
  Object.keys(env).flatMap((name) => {
    const meant = isNear(name)
    return meant === undefined ? [] : [{ name, meant }]
  })
