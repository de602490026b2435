import { LineField, WordsField } from '@integrity/shared-ui/web/fields'
import type { Attempt } from '../../parts/use-attempt.ts'
import { aidNames } from './aid-names.ts'
import { useLanguage } from './people-language.tsx'
import { type ConfigWords, lanes } from './policy-config.ts'
import { useSettingNames } from './policy-versions.tsx'

interface Props {
  readonly words: ConfigWords
  readonly onChange: (part: ConfigWords) => void
  /** The service's words, by the path of a field. */
  readonly at: Attempt['at']
}

const groups = [
  ['retentionDays'],
  ['capture.enabled', 'capture.screenshotIntervalSeconds', 'capture.quality', 'capture.recording'],
  [
    'audio.enabled',
    'audio.microphone',
    'audio.systemAudio',
    'audio.transcript',
    'audio.candidateOnly',
    'audio.chunkSeconds',
  ],
  ['camera.enabled', 'camera.stills', 'camera.stillIntervalSeconds', 'camera.clips', 'camera.clipSeconds'],
  ['sideView.enabled', 'sideView.previewIntervalSeconds', 'sideView.recording'],
  ['signals', 'windowTitles', 'pauseAllowed', 'baseRates'],
  ['aids.breaks.count', 'aids.breaks.minutes'],
] as const

/** The paths at which the service's words are shown. */
export const saidPaths: readonly string[] = [
  'name',
  'description',
  'config.requiredApps',
  ...groups.flat().map((path) => `config.${path}`),
]

const isSwitch = (value: string | undefined): boolean => value === 'true' || value === 'false'

const Setting = ({ path, words, onChange, at }: Props & { readonly path: string }) => {
  const nameOf = useSettingNames()
  const value = words[path] ?? ''
  if (!isSwitch(value))
    return (
      <LineField
        name={path}
        label={nameOf(path)}
        value={value}
        onChange={(typed) => onChange({ [path]: typed })}
        error={at(`config.${path}`)}
        maxLength={6}
      />
    )
  return (
    <label className="check">
      <input
        type="checkbox"
        name={path}
        checked={value === 'true'}
        onChange={({ target }) => onChange({ [path]: String(target.checked) })}
      />
      {nameOf(path)}
    </label>
  )
}

interface ChoicesProps extends Props {
  readonly path: 'optionalLanes' | 'aids.offered'
  readonly legend: string
  readonly names: Readonly<Record<string, string>>
}

/** Any of several, kept as lines in the order in which they are listed. */
const Choices = ({ path, legend, names, words, onChange }: ChoicesProps) => {
  const chosen = (words[path] ?? '').split('\n')
  const set = (name: string, on: boolean) =>
    onChange({
      [path]: Object.keys(names)
        .filter((one) => (one === name ? on : chosen.includes(one)))
        .join('\n'),
    })
  return (
    <fieldset>
      <legend>{legend}</legend>
      {Object.entries(names).map(([name, label]) => (
        <label key={name} className="check">
          <input
            type="checkbox"
            name={`${path} ${name}`}
            checked={chosen.includes(name)}
            onChange={({ target }) => set(name, target.checked)}
          />
          {label}
        </label>
      ))}
    </fieldset>
  )
}

/** Every setting of a policy. */
export const PolicyFields = (props: Props) => {
  const { t } = useLanguage()
  const { words, onChange, at } = props
  return (
    <>
      {groups.map((paths) => (
        <fieldset key={paths[0]}>
          <legend>{t(`peopleConfigGroup.${paths[0]}`)}</legend>
          {paths.map((path) => (
            <Setting key={path} {...props} path={path} />
          ))}
        </fieldset>
      ))}
      <Choices
        {...props}
        path="aids.offered"
        legend={t('peopleConfig.aids.offered')}
        names={Object.fromEntries(aidNames.map((aid) => [aid, t(`peopleAid.${aid}`)]))}
      />
      <Choices
        {...props}
        path="optionalLanes"
        legend={t('peopleConfig.optionalLanes')}
        names={Object.fromEntries(lanes.map((lane) => [lane, t(`lane.${lane}`)]))}
      />
      <WordsField
        name="requiredApps"
        label={t('peopleConfig.requiredApps')}
        help={t('peopleAppsHelp')}
        value={words['requiredApps'] ?? ''}
        onChange={(requiredApps) => onChange({ requiredApps })}
        error={at('config.requiredApps')}
        optional
        maxLength={2000}
      />
    </>
  )
}
