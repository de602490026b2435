import type { Config } from '../kernel/config.ts'
import { ConfigError, readConfig, settingNames } from './config.ts'
import type { Finding } from './doctor.finding.ts'
import { misspeltSettings } from './misspelt-settings.ts'

export interface SettingsCall {
  readonly env: Readonly<Record<string, string | undefined>>
  /** The file of `--settings`, and the lines of it that systemd passes over, too. */
  readonly file?: { readonly path: string; readonly ignored: readonly string[] } | undefined
}

const subject = 'settings'

/** The settings, read as the service reads them, or everything that is wrong with them. */
export const checkSettings = ({
  env,
  file,
}: SettingsCall): { readonly config?: Config; readonly findings: readonly Finding[] } => {
  const notes: Finding[] = [
    ...misspeltSettings(env).map(({ name, meant }) => ({
      subject,
      state: 'mend' as const,
      reason: `${name} is no setting, so it is passed over`,
      todo: `write ${meant}, or take it out`,
    })),
    ...(file?.ignored ?? []).map((line) => ({
      subject,
      state: 'mend' as const,
      reason: `a line of ${file?.path} is passed over: ${line}`,
      todo: 'write NAME=value, without "export"',
    })),
  ]
  try {
    const config = readConfig(env)
    const given = settingNames.filter((name) => env[name]).length
    const from = file === undefined ? 'the environment' : file.path
    const reason = `${given} are set, of ${from}; each can be read${config.production ? '' : '; NODE_ENV is not production'}`
    return { config, findings: [{ subject, state: 'ok', reason }, ...notes] }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const wrong = error.message.split('\n').filter((line) => line.startsWith('  '))
    const todo = 'see docs/operating/settings.md'
    return {
      findings: [...wrong.map((line) => ({ subject, state: 'mend' as const, reason: line.trim(), todo })), ...notes],
    }
  }
}
